import { useAddress, useStore, useTranslator } from '../session/index.ts';
import { DecisionItem, useOpenDecision } from './decision-item.tsx';

const shown = 30;

/** The newest decisions beside the map; a click opens the timeline there. */
export function LatestDecisions() {
  const { decisions, decisionsUnavailable } = useStore('decisions');
  const [, change] = useAddress();
  const [, open] = useOpenDecision();
  const { text } = useTranslator();
  return (
    <section className="latest" aria-label={text('details.latest')}>
      <div className="section-head">
        <h2>{text('details.latest')}</h2>
        <button type="button" className="link" onClick={() => change({ tab: 'timeline' })}>
          {text('details.all')}
        </button>
      </div>
      {decisions.length === 0 && (
        <p className="muted">
          {decisionsUnavailable === undefined
            ? text('empty.decisionsHint')
            : text('timeline.unavailable', { reason: decisionsUnavailable })}
        </p>
      )}
      <ol>
        {decisions
          .slice(-shown)
          .toReversed()
          .map((decision) => (
            <li key={decision.id}>
              <DecisionItem decision={decision} isOpen={false} onToggle={() => open(decision.id)} />
            </li>
          ))}
      </ol>
    </section>
  );
}
