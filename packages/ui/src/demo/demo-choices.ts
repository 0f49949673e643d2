import type { DemoAction, DemoFacts, PageNode } from '@karpenter/core/page-api';
import type { ClusterRows } from '../store/index.ts';
import type { DemoStep } from './demo-steps.ts';

/** What a step offers to do: the texts' values and the actions behind the button. */
export interface DemoChoice {
  readonly values: Readonly<Record<string, string | number>>;
  readonly actions: readonly DemoAction[];
}

const addedReplicas = 20;
const fewReplicas = 2;

/** Undefined where a step needs no button, or the cluster has nothing to do it with. */
export function demoChoice(step: DemoStep, facts: DemoFacts, rows: ClusterRows): DemoChoice | undefined {
  return choices[step](facts, rows);
}

type Choose = (facts: DemoFacts, rows: ClusterRows) => DemoChoice | undefined;

const choices: Readonly<Record<DemoStep, Choose>> = {
  scale: (facts, rows) => scaleTo(facts, (name) => replicasOf(rows, name) + addedReplicas),
  open: () => undefined,
  fallback(facts, rows) {
    const zone = spotZone(facts, rows);
    const scaled = scaleTo(facts, (name) => replicasOf(rows, name) + addedReplicas);
    if (zone === undefined || scaled === undefined) return undefined;
    return { values: { zone }, actions: [{ action: 'removeSpot', zone }, ...scaled.actions] };
  },
  interrupt(_, rows) {
    const node = interruptible(rows)[0]?.name;
    return node === undefined
      ? undefined
      : { values: { name: node }, actions: [{ action: 'interrupt', node }] };
  },
  shrink: (facts) => scaleTo(facts, () => fewReplicas),
  cost: () => ({ values: {}, actions: [] }),
};

function scaleTo({ deployments }: DemoFacts, replicasFor: (name: string) => number): DemoChoice | undefined {
  const name = deployments[0]?.name;
  if (name === undefined) return undefined;
  const replicas = replicasFor(name);
  return { values: { name, replicas }, actions: [{ action: 'scale', deployment: name, replicas }] };
}

/** Counted on the pods: what the server said at the start is old after the first change. */
export function replicasOf(rows: ClusterRows, deployment: string): number {
  let count = 0;
  for (const { namespace, workload, phase } of rows.pods.values())
    if (namespace === 'default' && workload.name === deployment && phase !== 'terminating') count += 1;
  return count;
}

/** Spot nodes first, the youngest first. */
export function interruptible(rows: ClusterRows): readonly PageNode[] {
  const isSpot = ({ capacityType }: PageNode) => Number(capacityType === 'spot');
  return [...rows.nodes.values()]
    .filter(({ nodeClaim, phase }) => nodeClaim !== undefined && phase === 'ready')
    .sort((a, b) => isSpot(b) - isSpot(a) || b.createdAt - a.createdAt);
}

/** The zone with the most spot nodes, so that the loss is felt. */
function spotZone({ zones }: DemoFacts, rows: ClusterRows): string | undefined {
  const counts = new Map<string, number>();
  for (const { zone = '', capacityType } of rows.nodes.values())
    if (capacityType === 'spot') counts.set(zone, (counts.get(zone) ?? 0) + 1);
  return zones.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))[0];
}
