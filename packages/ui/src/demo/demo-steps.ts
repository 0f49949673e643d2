import type { Decision } from '@karpenter/core/decisions';

/** The steps of the tour, in order. */
export const demoSteps = ['scale', 'open', 'fallback', 'interrupt', 'shrink', 'cost'] as const;
export type DemoStep = (typeof demoSteps)[number];

/** What the steps watch. */
export interface DemoMoment {
  readonly at: number;
  readonly tab: string;
  readonly isSelected: boolean;
  readonly pendingPods: number;
  readonly runningPods: number;
  readonly nodes: number;
  readonly decisions: readonly Decision[];
}

/** When a step began: what is compared with the moment. */
export type DemoStart = Omit<DemoMoment, 'decisions'>;

/** Whether the thing that a step waits for has happened since it began. */
export function isStepDone(step: DemoStep, start: DemoStart, now: DemoMoment): boolean {
  return conditions[step](start, now);
}

type Condition = (start: DemoStart, now: DemoMoment) => boolean;

/** A pod that was pending before the step may stay so for ever. */
const hasGrown: Condition = (start, now) =>
  now.runningPods > start.runningPods && now.pendingPods <= start.pendingPods;

const since = ({ at }: DemoStart, { decisions }: DemoMoment): readonly Decision[] =>
  decisions.filter((decision) => decision.at >= at);

const conditions: Readonly<Record<DemoStep, Condition>> = {
  scale: hasGrown,
  open: (_, { isSelected }) => isSelected,
  fallback: (start, now) =>
    hasGrown(start, now) ||
    since(start, now).some((decision) => decision.kind === 'launch' && isFallback(decision)),
  interrupt: (start, now) =>
    since(start, now).some(({ kind }) => kind === 'notice') || now.nodes < start.nodes,
  shrink: (start, now) =>
    since(start, now).some(({ kind }) => kind === 'disruption') ||
    (now.nodes < start.nodes && now.runningPods < start.runningPods),
  cost: (_, { tab }) => tab === 'cost',
};

const isFallback = ({ capacityType }: Extract<Decision, { kind: 'launch' }>): boolean =>
  capacityType !== undefined && capacityType !== 'spot';
