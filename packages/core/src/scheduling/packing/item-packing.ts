import type { Steps } from '../../yielding/index.ts';
import type { AttemptPolicy } from '../context/attempt-policy.ts';
import type { PlanContext } from '../context/plan-context.ts';
import type { ResourceAxes } from '../context/resource-axes.ts';
import type { NodeTemplate } from '../instance-types/node-template.ts';
import { packWithin } from '../limits/limited-packing.ts';
import type { RemainingReservations } from '../limits/reservations.ts';
import { packOnReservations } from '../limits/reserved-packing.ts';
import { type ItemConstraints, itemConstraints } from '../placement/item-constraints.ts';
import type { PlacementItem } from '../placement/placement-item.ts';
import type { Offer, PackedNode, PackingProblem } from './packing-problem.ts';

/** The packing of one pool. The contents of nodes refer to items by index. */
export interface PoolPacking {
  readonly template: NodeTemplate;
  readonly items: readonly PlacementItem[];
  readonly nodes: readonly PackedNode[];
  /** Items that could use a capacity reservation, but none is left for those of their pods without a node. */
  readonly unreserved: ReadonlySet<PlacementItem>;
  /** Whether the signal `stop` ended the packing before all units were tried. */
  readonly isStopped: boolean;
}

/** The items of one NodePool, and what decides how they are packed. */
export interface PackingInputs {
  readonly context: PlanContext;
  /** Packing takes the instances that it uses out of it. */
  readonly reservations: RemainingReservations;
  readonly policy: AttemptPolicy;
  readonly template: NodeTemplate;
  readonly items: readonly PlacementItem[];
  /** Whether the signal `stop` ends the packing. */
  readonly mayStop: boolean;
}

/** Packs the items of one pool at the lowest price. */
export function* packItems(inputs: PackingInputs): Steps<PoolPacking> {
  const { context, policy, template, items, mayStop } = inputs;
  if (items.length === 0) return { template, items, nodes: [], unreserved: new Set(), isStopped: false };
  const constraints = itemConstraints(items);
  yield;
  const problem = {
    ...packingProblem(context.axes, { template, items }, constraints),
    ...(policy.valuesByAlternatives ? { alternatives: alternativesTo(context, template) } : {}),
  };
  yield;
  const only = template.reservedOffers.length === 0 ? policy.packOnOne?.(problem) : undefined;
  if (only !== undefined) return { template, items, nodes: [only], unreserved: new Set(), isStopped: false };
  // Never stopped: other pools share the reservations and have to know what is left of them.
  if (template.reservedOffers.length > 0) return yield* unstoppable(packOnReservations(inputs, problem));
  const packing = packWithin(problem, policy.sparesLimits);
  const { nodes, isStopped } = yield* mayStop ? packing : unstoppable(packing);
  return { template, items, nodes, unreserved: new Set(), isStopped };
}

/**
 * The offers of lighter NodePools, which get the pods for which the limits of this one leave no room; all that can be
 * bought, whichever of them the rules of the pods allow.
 */
function alternativesTo({ pools: { templates } }: PlanContext, template: NodeTemplate): readonly Offer[] {
  if (template.remaining === undefined) return [];
  const lighter = templates.slice(templates.indexOf(template) + 1);
  return lighter.flatMap(({ offers }) => offers.filter(({ offering }) => offering.reservation === undefined));
}

/** Runs the steps to the end, whatever the caller signals. */
function* unstoppable<Made>(steps: Steps<Made>): Steps<Made> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    yield;
  }
}

function packingProblem(
  axes: ResourceAxes,
  { template, items }: Pick<PackingInputs, 'template' | 'items'>,
  constraints: ItemConstraints,
): PackingProblem {
  return {
    resources: axes.names.length,
    offers: template.offers,
    kinds: template.kinds.of,
    items: items.map(({ count, size, mask }) => ({ count, size, offers: mask })),
    ...constraints,
    reserved: [],
    ...(template.remaining === undefined
      ? {}
      : { limitsLeft: Float64Array.from(template.remaining.values()) }),
  };
}
