import type { Decision, DecisionKind } from '@karpenter/core/decisions';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { EmptyState } from '../empty-state/index.ts';
import { useStore, useTranslator } from '../session/index.ts';
import { DecisionItem, useOpenDecision } from './decision-item.tsx';
import { DecisionPlan } from './decision-plan.tsx';

const kinds: readonly DecisionKind[] = ['plan', 'launch', 'disruption', 'refusal', 'notice'];

/** All decisions, the newest first, each of which opens to its plan. */
export function TimelineTab() {
  const { decisions, decisionsUnavailable } = useStore('decisions');
  const { text } = useTranslator();
  const [hidden, setHidden] = useState<ReadonlySet<DecisionKind>>(new Set());
  if (decisionsUnavailable !== undefined)
    return (
      <EmptyState
        title={text('empty.decisions')}
        hint={text('timeline.unavailable', { reason: decisionsUnavailable })}
      />
    );
  if (decisions.length === 0)
    return <EmptyState title={text('empty.decisions')} hint={text('empty.decisionsHint')} />;
  return (
    <div className="timeline">
      <KindFilter hidden={hidden} onChange={setHidden} />
      <DecisionList decisions={decisions.filter(({ kind }) => !hidden.has(kind)).toReversed()} />
    </div>
  );
}

interface KindFilterProps {
  readonly hidden: ReadonlySet<DecisionKind>;
  readonly onChange: (hidden: ReadonlySet<DecisionKind>) => void;
}

function KindFilter({ hidden, onChange }: KindFilterProps) {
  const { text } = useTranslator();
  const toggle = (kind: DecisionKind) =>
    onChange(new Set(hidden.has(kind) ? [...hidden].filter((other) => other !== kind) : [...hidden, kind]));
  return (
    <fieldset className="chips" aria-label={text('timeline.filter')}>
      {kinds.map((kind) => (
        <button
          key={kind}
          type="button"
          className={`chip decision-${kind}`}
          aria-pressed={!hidden.has(kind)}
          onClick={() => toggle(kind)}
        >
          <span className="decision-mark" aria-hidden="true" />
          {text(`timeline.kind.${kind}`)}
        </button>
      ))}
    </fieldset>
  );
}

/** Only the entries in sight exist; they have the height of what is opened in them. */
function DecisionList({ decisions }: { readonly decisions: readonly Decision[] }) {
  const frame = useRef<HTMLElement>(null);
  const { text } = useTranslator();
  const [open, toggle] = useOpenDecision();
  const virtualizer = useVirtualizer({
    count: decisions.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 44,
    getItemKey: (index) => decisions[index]?.id ?? index,
    overscan: 8,
  });
  useScrollToFirst(decisions, open, (index) => virtualizer.scrollToIndex(index));
  return (
    <section
      ref={frame}
      className="timeline-frame"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={text('timeline.title')}
    >
      <ol className="timeline-list" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const decision = decisions[index];
          if (decision === undefined) return null;
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className="timeline-item"
              style={{ transform: `translateY(${start}px)` }}
            >
              <DecisionItem
                decision={decision}
                isOpen={decision.id === open}
                onToggle={() => toggle(decision.id)}
              />
              {decision.id === open && <DecisionPlan decision={decision} />}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** A shared link opens at its decision, once. */
function useScrollToFirst(
  decisions: readonly Decision[],
  open: string | undefined,
  scrollTo: (index: number) => void,
): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current) return;
    isDone.current = true;
    const index = decisions.findIndex(({ id }) => id === open);
    if (index > 0) scrollTo(index);
  });
}
