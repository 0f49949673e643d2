import { labelKeys, type NodeClaim } from '../api/index.ts';
import type { InstanceType } from '../ports/index.ts';
import type { NodeView } from '../scheduling/index.ts';
import {
  type Labels,
  maxResources,
  parseResourceList,
  type QuantityTexts,
  type ResourceList,
  resourceTexts,
} from '../values/index.ts';

/** A NodeClaim of which nobody knows yet what machine it becomes. */
export interface LaunchingClaim {
  readonly nodeClaim: NodeClaim;
  /** Counts against limits as the largest machine it may become, and takes no pods. */
  readonly view: NodeView;
  /** Uids of the pods it was made for; absent when this process has not made it. */
  readonly pods?: ReadonlySet<string>;
}

/**
 * The claim of each pod that one is launching for, by uid. Virtual pods, which are not part of the state, may be
 * among them: whoever makes those leaves out the ones that are here.
 */
export function podsOnTheirWay(launching: readonly LaunchingClaim[]): ReadonlyMap<string, string> {
  const claimOf = new Map<string, string>();
  for (const { nodeClaim, pods = [] } of launching) {
    for (const uid of pods) claimOf.set(uid, nodeClaim.metadata.name);
  }
  return claimOf;
}

export function launchingView(nodeClaim: NodeClaim, types: readonly InstanceType[]): NodeView {
  const { metadata, spec } = nodeClaim;
  const nodePool = metadata.labels?.[labelKeys.nodePool];
  return {
    name: metadata.name,
    nodeClaim: metadata.name,
    ...(nodePool !== undefined && nodePool !== '' && { nodePool }),
    labels: certainLabels(nodeClaim),
    taints: spec.taints ?? [],
    initialized: false,
    deleting: false,
    capacity: largestCapacity(nodeClaim, types),
    allocatable: {},
    podRequests: {},
    daemonRequests: {},
  };
}

/** Whether the claim may have been made for pods; those of static pools never are. */
export function isForPods({ spec }: NodeClaim): boolean {
  return Object.keys(spec.resources?.requests ?? {}).length > 0;
}

/** What the node will be labelled with whichever machine it becomes. */
function certainLabels({ metadata, spec }: NodeClaim): Labels {
  const single = spec.requirements.flatMap(({ key, operator, values = [] }) => {
    const [value, another] = values;
    return operator === 'In' && value !== undefined && another === undefined ? [[key, value] as const] : [];
  });
  return { ...Object.fromEntries(single), ...metadata.labels };
}

/** Resource by resource; where no type is known, at least what was asked for. */
function largestCapacity({ spec }: NodeClaim, types: readonly InstanceType[]): QuantityTexts {
  const named = spec.requirements.find(
    ({ key, operator }) => key === labelKeys.instanceType && operator === 'In',
  );
  return largestOf(types, named?.values) ?? spec.resources?.requests ?? {};
}

const largest = new WeakMap<readonly InstanceType[], Map<string, QuantityTexts | undefined>>();

/** Claims of one plan mostly allow the same types, so that the answer is kept for each choice of them. */
function largestOf(
  types: readonly InstanceType[],
  names: readonly string[] | undefined,
): QuantityTexts | undefined {
  const known = largest.get(types) ?? new Map<string, QuantityTexts | undefined>();
  largest.set(types, known);
  const choice = names?.join() ?? '';
  if (!known.has(choice)) known.set(choice, capacityOf(types, names && new Set(names)));
  return known.get(choice);
}

function capacityOf(
  types: readonly InstanceType[],
  names: ReadonlySet<string> | undefined,
): QuantityTexts | undefined {
  const possible = types.filter(({ name }) => names?.has(name) ?? true);
  return possible.length === 0 ? undefined : resourceTexts(maxResources(...possible.map(typeCapacity)));
}

const capacities = new WeakMap<InstanceType, ResourceList>();

function typeCapacity(type: InstanceType): ResourceList {
  const known = capacities.get(type);
  if (known !== undefined) return known;
  const lists = [type.capacity, ...type.offerings.map(({ capacity }) => capacity)];
  const most = maxResources(...lists.map((list) => parseResourceList(list, 'capacity')));
  capacities.set(type, most);
  return most;
}
