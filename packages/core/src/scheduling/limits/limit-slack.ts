import { provisioningTuning } from '../../api/index.ts';
import { memoized } from '../../values/index.ts';
import type { TemplateOffer } from '../instance-types/node-template.ts';

/** A planned node of a pool with limits. */
export interface CountedNode {
  /** What packing charged against each limit for it. */
  readonly charged: Float64Array;
  /** All offers it could launch on, the cheapest first. */
  readonly offers: readonly TemplateOffer[];
}

/**
 * How much of each limit each node may use, so that the limits are kept whichever type is launched for each node.
 * Undefined where the limits allow the largest type of every node: then no type has to be left out. Otherwise what is
 * left is shared round-robin, one more type for each node at a time, from the smallest up. The cheapest types come
 * first, which are all that a launch sends to EC2, then the rest (ADR 0012).
 *
 * @param left of the limits after all nodes are charged
 */
export function sharedSlack(
  nodes: readonly CountedNode[],
  left: Float64Array,
): readonly Float64Array[] | undefined {
  const slack = left.slice();
  const { maxInstanceTypesPerLaunch, maxInstanceTypesPerNodeClaim } = provisioningTuning;
  const inLaunch = memoized((offers: readonly TemplateOffer[]) =>
    sizeSteps(offers, maxInstanceTypesPerLaunch, left),
  );
  const inNodeClaim = memoized((offers: readonly TemplateOffer[]) =>
    sizeSteps(offers, maxInstanceTypesPerNodeClaim, left),
  );
  if (isEnoughForAll(nodes, slack, inNodeClaim)) return undefined;
  const ceilings = nodes.map(({ charged }) => charged.slice());
  for (const stepsOf of [inLaunch, inNodeClaim]) raiseInTurns(nodes, { ceilings, slack }, stepsOf);
  return ceilings;
}

type StepsOf = (offers: readonly TemplateOffer[]) => readonly Float64Array[];

/** Ceilings for the smallest type alone, the smallest two, and so on: of each limit, the most that any of them uses. */
function sizeSteps(
  offers: readonly TemplateOffer[],
  mostTypes: number,
  left: Float64Array,
): readonly Float64Array[] {
  const types = [...new Set(offers.map(({ of }) => of))].slice(0, mostTypes);
  const shareOf = (limitUsage: Float64Array) =>
    limitUsage.reduce((share, amount, axis) => Math.max(share, amount / Math.max(left[axis] ?? 0, 1)), 0);
  const sorted = types
    .map(({ limitUsage }) => ({ limitUsage, share: shareOf(limitUsage) }))
    .sort((a, b) => a.share - b.share);
  let largest = new Float64Array(left.length);
  return sorted.map(({ limitUsage }) => {
    largest = largest.map((amount, axis) => Math.max(amount, limitUsage[axis] ?? 0));
    return largest;
  });
}

function isEnoughForAll(nodes: readonly CountedNode[], slack: Float64Array, stepsOf: StepsOf): boolean {
  const needed = new Float64Array(slack.length);
  for (const { charged, offers } of nodes) {
    const most = stepsOf(offers).at(-1);
    for (let axis = 0; axis < needed.length; axis++)
      needed[axis] = (needed[axis] ?? 0) + Math.max(0, (most?.[axis] ?? 0) - (charged[axis] ?? 0));
  }
  return needed.every((amount, axis) => amount <= (slack[axis] ?? 0));
}

/**
 * A node whose next step exceeds the slack is finished: its later steps need as much or more, and the slack
 * shrinks.
 */
function raiseInTurns(
  nodes: readonly CountedNode[],
  { ceilings, slack }: { readonly ceilings: readonly Float64Array[]; readonly slack: Float64Array },
  stepsOf: StepsOf,
): void {
  const steps = nodes.map(({ offers }) => stepsOf(offers));
  let open = [...nodes.keys()];
  for (let step = 0; open.length > 0; step++) {
    open = open.filter((node) => {
      const ceiling = ceilings[node];
      const next = steps[node]?.[step];
      return ceiling !== undefined && next !== undefined && raise(ceiling, next, slack);
    });
  }
}

function raise(ceiling: Float64Array, next: Float64Array, slack: Float64Array): boolean {
  for (let axis = 0; axis < slack.length; axis++)
    if ((next[axis] ?? 0) - (ceiling[axis] ?? 0) > (slack[axis] ?? 0)) return false;
  for (let axis = 0; axis < slack.length; axis++) {
    const growth = Math.max(0, (next[axis] ?? 0) - (ceiling[axis] ?? 0));
    slack[axis] = (slack[axis] ?? 0) - growth;
    ceiling[axis] = (ceiling[axis] ?? 0) + growth;
  }
  return true;
}
