import { labelKeys, type NodeClaim } from '../../api/index.ts';
import type { InstanceType } from '../../ports/index.ts';
import type { NodeView } from '../../scheduling/index.ts';
import {
  type Labels,
  maxResources,
  parseResourceList,
  type QuantityTexts,
  type ResourceList,
  resourceTexts,
} from '../../values/index.ts';

/** A NodeClaim without provider id: its instance type and zone are not known yet. */
export interface LaunchingClaim {
  readonly nodeClaim: NodeClaim;
  /**
   * Has the capacity of the largest possible instance type, for limits, and no allocatable, so it takes no
   * pods.
   */
  readonly view: NodeView;
  /** Uids of the pods it was created for; absent when another process created it. */
  readonly pods?: ReadonlySet<string>;
}

/**
 * NodeClaim by uid of the pods it is being launched for. Includes virtual pods of CapacityBuffers, which the
 * state does not hold: a caller that generates them must leave out those listed here.
 */
export function launchingPods(launching: readonly LaunchingClaim[]): ReadonlyMap<string, string> {
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

/** Whether the claim may be for pods. Claims of static NodePools have no resource requests and never are. */
export function isForPods({ spec }: NodeClaim): boolean {
  return Object.keys(spec.resources?.requests ?? {}).length > 0;
}

/** The labels that the node will have whichever instance type and zone it gets. */
function certainLabels({ metadata, spec }: NodeClaim): Labels {
  const single = spec.requirements.flatMap(({ key, operator, values = [] }) => {
    const [value, another] = values;
    return operator === 'In' && value !== undefined && another === undefined ? [[key, value] as const] : [];
  });
  return { ...Object.fromEntries(single), ...metadata.labels };
}

/** Maximum per resource over the possible instance types; the requests of the claim when no type is known. */
function largestCapacity({ spec }: NodeClaim, types: readonly InstanceType[]): QuantityTexts {
  const named = spec.requirements.find(
    ({ key, operator }) => key === labelKeys.instanceType && operator === 'In',
  );
  return largestOf(types, named?.values) ?? spec.resources?.requests ?? {};
}

const largest = new WeakMap<readonly InstanceType[], Map<string, QuantityTexts | undefined>>();

/** Cached per list of types: most claims of one plan allow the same ones. */
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
