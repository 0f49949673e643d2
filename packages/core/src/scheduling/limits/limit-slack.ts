import { provisioningTuning } from '../../api/index.ts';
import { memoized } from '../../values/index.ts';
import type { TemplateOffer } from '../instance-types/node-template.ts';

/** A new node of a pool with limits. */
export interface CountedNode {
  /** What it has been charged of each limit: as much as the type that was bought takes. */
  readonly charged: Float64Array;
  /** All that it could be launched as, the cheapest first. */
  readonly offers: readonly TemplateOffer[];
}

/**
 * How large each node may become, limit by limit, so that the limits hold whichever type the cloud picks for each.
 * Undefined where they leave room for the largest type of every node: then none is held back. Otherwise nodes gain one type after
 * the other in turns, the smallest first: those that a launch would ask for, then the rest.
 *
 * @param left of the limits after what the nodes have been charged
 */
export function sharedSlack(
  nodes: readonly CountedNode[],
  left: Float64Array,
): readonly Float64Array[] | undefined {
  const slack = left.slice();
  const { maxInstanceTypesPerLaunch, maxInstanceTypesPerNodeClaim } = provisioningTuning;
  const asked = memoized((offers: readonly TemplateOffer[]) =>
    sizeSteps(offers, maxInstanceTypesPerLaunch, left),
  );
  const listed = memoized((offers: readonly TemplateOffer[]) =>
    sizeSteps(offers, maxInstanceTypesPerNodeClaim, left),
  );
  if (isEnoughForAll(nodes, slack, listed)) return undefined;
  const ceilings = nodes.map(({ charged }) => charged.slice());
  for (const stepsOf of [asked, listed]) raiseInTurns(nodes, ceilings, slack, stepsOf);
  return ceilings;
}

type StepsOf = (offers: readonly TemplateOffer[]) => readonly Float64Array[];

/** The most of each limit that the first type takes, the first two, and so on; types in the order of their size. */
function sizeSteps(
  offers: readonly TemplateOffer[],
  mostTypes: number,
  left: Float64Array,
): readonly Float64Array[] {
  const types = [...new Set(offers.map(({ of }) => of))].slice(0, mostTypes);
  const shareOf = (footprint: Float64Array) =>
    footprint.reduce((share, amount, axis) => Math.max(share, amount / Math.max(left[axis] ?? 0, 1)), 0);
  const sorted = types
    .map(({ footprint }) => ({ footprint, share: shareOf(footprint) }))
    .sort((a, b) => a.share - b.share);
  let largest = new Float64Array(left.length);
  return sorted.map(({ footprint }) => {
    largest = largest.map((amount, axis) => Math.max(amount, footprint[axis] ?? 0));
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

/** A node that the slack is too small for is done: each of its next steps takes as much or more, of less slack. */
function raiseInTurns(
  nodes: readonly CountedNode[],
  ceilings: readonly Float64Array[],
  slack: Float64Array,
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
