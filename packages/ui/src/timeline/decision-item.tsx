import type { Decision } from '@karpenter/core/decisions';
import { useAddress, useTranslator } from '../session/index.ts';
import { decisionCost, isUnwelcome } from './decision-cost.ts';

interface DecisionItemProps {
  readonly decision: Decision;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** One line of the timeline: when, what, why, and for how much. */
export function DecisionItem({ decision, isOpen, onToggle }: DecisionItemProps) {
  const { text, format } = useTranslator();
  return (
    <button
      type="button"
      className={`decision decision-${decision.kind}${isUnwelcome(decision) ? ' decision-unwelcome' : ''}`}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      <time className="decision-time" dateTime={new Date(decision.at).toISOString()}>
        {format.clock(decision.at)}
      </time>
      <span className="decision-mark" aria-hidden="true" />
      <span className="decision-kind">{text(`timeline.kind.${decision.kind}`)}</span>
      <span className="decision-summary">
        {decision.summary}
        {decision.repeats !== undefined && ` (×${decision.repeats + 1})`}
      </span>
      <DecisionCost decision={decision} />
    </button>
  );
}

function DecisionCost({ decision }: { readonly decision: Decision }) {
  const { format } = useTranslator();
  const cost = decisionCost(decision);
  if (cost === undefined) return null;
  const isSaving = cost < 0;
  return (
    <span className={`decision-cost ${isSaving ? 'is-saving' : ''}`}>
      {isSaving ? '−' : '+'}
      {format.money(Math.abs(cost))}/h
    </span>
  );
}

/** Opens a decision, or closes the open one. */
export function useOpenDecision(): readonly [string | undefined, (id: string) => void] {
  const [{ selected }, change] = useAddress();
  const open = selected?.kind === 'decision' ? selected.name : undefined;
  return [
    open,
    (id) => change({ tab: 'timeline', selected: id === open ? undefined : { kind: 'decision', name: id } }),
  ];
}
