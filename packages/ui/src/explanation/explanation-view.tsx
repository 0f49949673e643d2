import type { Explanation, Finding } from '@karpenter/core/explanation';
import { useCallback, useEffect, useState } from 'react';
import { type ExplainedObject, serverRequests } from '../connection/index.ts';
import { useTranslator } from '../session/index.ts';

type Answer =
  | { readonly kind: 'asking' }
  | { readonly kind: 'answered'; readonly explanation: Explanation }
  | { readonly kind: 'failed'; readonly message: string };

/** Why an object is as it is: what `karpenter explain` prints. */
export function ExplanationView({ object }: { readonly object: ExplainedObject }) {
  const { answer, ask } = useExplanation(object);
  const { text } = useTranslator();
  return (
    <section className="explanation" aria-label={text('explain.title')} aria-busy={answer.kind === 'asking'}>
      <div className="section-head">
        <h3>{text('explain.title')}</h3>
        <button type="button" className="link" onClick={ask}>
          {text('explain.again')}
        </button>
      </div>
      {answer.kind === 'asking' && <p className="muted">{text('explain.loading')}</p>}
      {answer.kind === 'failed' && (
        <p className="problem">{text('explain.failed', { message: answer.message })}</p>
      )}
      {answer.kind === 'answered' && <ExplanationTree explanation={answer.explanation} />}
    </section>
  );
}

function useExplanation({ kind, namespace, name }: ExplainedObject) {
  const [answer, setAnswer] = useState<Answer>({ kind: 'asking' });
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asking again is a reason to fetch again
  useEffect(() => {
    const abort = new AbortController();
    setAnswer({ kind: 'asking' });
    serverRequests
      .explain({ kind, name, ...(namespace !== undefined && { namespace }) }, abort.signal)
      .then((explanation) => setAnswer({ kind: 'answered', explanation }))
      .catch((error: Error) => {
        if (!abort.signal.aborted) setAnswer({ kind: 'failed', message: error.message });
      });
    return () => abort.abort();
  }, [kind, namespace, name, asked]);
  const ask = useCallback(() => setAsked((count) => count + 1), []);
  return { answer, ask };
}

function ExplanationTree({ explanation }: { readonly explanation: Explanation }) {
  const { summary, sections, changes } = explanation;
  const { text } = useTranslator();
  return (
    <>
      <p className="explanation-summary">{summary}</p>
      {sections.map(({ title, findings }) => (
        <div key={title} className="explanation-section">
          <h4>{title}</h4>
          <FindingList findings={findings} />
        </div>
      ))}
      {changes.length > 0 && (
        <div className="explanation-section explanation-changes">
          <h4>{text('explain.changes')}</h4>
          <ol>
            {changes.map((change) => (
              <li key={change.text}>{change.text}</li>
            ))}
          </ol>
        </div>
      )}
    </>
  );
}

function FindingList({ findings }: { readonly findings: readonly Finding[] }) {
  return (
    <ul className="findings">
      {findings.map((finding) => (
        <FindingItem key={finding.text} finding={finding} />
      ))}
    </ul>
  );
}

function FindingItem({ finding }: { readonly finding: Finding }) {
  const { text, format } = useTranslator();
  const { verdict, until, details = [] } = finding;
  return (
    <li className={`finding finding-${verdict}`}>
      <span className="finding-mark" role="img" aria-label={text(`explain.${verdict}`)} />
      <div>
        {finding.text}
        {until !== undefined && (
          <span className="muted"> · {text('explain.until', { time: format.dateTime(until) })}</span>
        )}
        {details.length > 0 && (
          <details open={verdict === 'blocked' && details.length <= 6}>
            <summary>{format.count(details.length)}</summary>
            <FindingList findings={details} />
          </details>
        )}
      </div>
    </li>
  );
}
