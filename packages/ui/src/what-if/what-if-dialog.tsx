import type { WhatIfAnswer } from '@karpenter/core/page-api';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { serverRequests } from '../connection/index.ts';
import { useTranslator } from '../session/index.ts';
import { type WhatIfForm, whatIfQuestion } from './what-if-question.ts';

interface WhatIfDialogProps {
  /** Filled in as the node to remove; may be empty. */
  readonly removedNode: string;
  readonly onClose: () => void;
}

type AnswerState =
  | { readonly kind: 'idle' | 'asking' }
  | { readonly kind: 'answered'; readonly answer: WhatIfAnswer }
  | { readonly kind: 'failed'; readonly message: string };

/** Plans with changes that are not made: what `karpenter simulate` does on a live cluster. */
export function WhatIfDialog({ removedNode, onClose }: WhatIfDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { text } = useTranslator();
  const title = useId();
  const [form, setForm] = useState<WhatIfForm>({
    removeNodes: removedNode,
    add: '',
    set: '',
    isConsolidated: false,
  });
  const [state, setState] = useState<AnswerState>({ kind: 'idle' });
  useEffect(() => dialog.current?.showModal(), []);
  const ask = () => {
    const question = whatIfQuestion(form);
    if (question === undefined) return setState({ kind: 'failed', message: text('whatIf.nothing') });
    setState({ kind: 'asking' });
    serverRequests.whatIf(question).then(
      (answer) => setState({ kind: 'answered', answer }),
      (error: Error) => setState({ kind: 'failed', message: error.message }),
    );
  };
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={title} onClose={onClose}>
      <form
        className="what-if"
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <div className="section-head">
          <h2 id={title}>{text('whatIf.title')}</h2>
          <button
            type="button"
            className="icon-button icon-close"
            aria-label={text('details.close')}
            onClick={() => dialog.current?.close()}
          />
        </div>
        <p className="muted">{text('whatIf.intro')}</p>
        <WhatIfFields form={form} onChange={setForm} />
        <button type="submit" className="button button-main" disabled={state.kind === 'asking'}>
          {text(state.kind === 'asking' ? 'whatIf.asking' : 'whatIf.ask')}
        </button>
        <div aria-live="polite">
          {state.kind === 'failed' && <p className="problem">{state.message}</p>}
          {state.kind === 'answered' && <Answer answer={state.answer} />}
        </div>
      </form>
    </dialog>
  );
}

interface FieldsProps {
  readonly form: WhatIfForm;
  readonly onChange: (form: WhatIfForm) => void;
}

function WhatIfFields({ form, onChange }: FieldsProps) {
  const { text } = useTranslator();
  return (
    <>
      <Field label={text('whatIf.removeNodes')} hint={text('whatIf.removeNodesHint')}>
        <input
          value={form.removeNodes}
          spellCheck={false}
          onChange={(event) => onChange({ ...form, removeNodes: event.target.value })}
        />
      </Field>
      <Field label={text('whatIf.add')} hint={text('whatIf.addHint')}>
        <textarea
          rows={5}
          value={form.add}
          spellCheck={false}
          onChange={(event) => onChange({ ...form, add: event.target.value })}
        />
      </Field>
      <Field label={text('whatIf.set')} hint={text('whatIf.setHint')}>
        <textarea
          rows={2}
          value={form.set}
          spellCheck={false}
          onChange={(event) => onChange({ ...form, set: event.target.value })}
        />
      </Field>
      <label className="check">
        <input
          type="checkbox"
          checked={form.isConsolidated}
          onChange={(event) => onChange({ ...form, isConsolidated: event.target.checked })}
        />
        {text('whatIf.consolidate')}
      </label>
    </>
  );
}

interface FieldProps {
  readonly label: string;
  readonly hint: string;
  readonly children: ReactNode;
}

function Field({ label, hint, children }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label className="field">
      <span>
        {label} <span className="muted">{hint}</span>
      </span>
      {children}
    </label>
  );
}

function Answer({ answer }: { readonly answer: WhatIfAnswer }) {
  const { text, format } = useTranslator();
  const { priceBefore, priceAfter } = answer;
  const difference = priceAfter - priceBefore;
  return (
    <section className="answer" aria-label={text('whatIf.answer')}>
      <dl className="pool-figures">
        <Money label={text('whatIf.before')} value={format.money(priceBefore)} />
        <Money label={text('whatIf.after')} value={format.money(priceAfter)} />
        <Money
          label={text('whatIf.difference')}
          value={`${difference > 0 ? '+' : ''}${format.money(difference)}/h`}
        />
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>{answer.text}</pre>
    </section>
  );
}

function Money({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
