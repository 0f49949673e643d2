import { labelKeys } from '../api/index.ts';
import { isUpcomingUid, type PodMetadata, upcomingCounts } from '../scheduling/index.ts';
import type { PlannedNodeFacts } from './decision.ts';
import { decisionBounds, shortened, shortText } from './decision-bounds.ts';
import type { ReplacementRecord } from './replay-record.ts';

/** The names of pods by uid; a uid without a name is a virtual pod, which is left out. */
export type PodNames = ReadonlyMap<string, { readonly metadata: PodMetadata }>;

/** What became of a planned node: its NodeClaim, or why there is none. */
export interface CreatedNode {
  readonly nodeClaim?: string;
  readonly failure?: string;
}

export function plannedNodeFacts(
  node: ReplacementRecord,
  { nodeClaim, failure }: CreatedNode,
  names: PodNames,
): PlannedNodeFacts {
  const created = {
    ...(nodeClaim !== undefined && { nodeClaim }),
    ...(failure !== undefined && { failure: shortText(failure) }),
  };
  if ('isStatic' in node) return { ...created, ...staticFacts(node.nodePool) };
  const { nodePool, instanceTypes, price, pods, requirements } = node;
  const valuesOf = (wanted: string) =>
    requirements.find(({ key, operator }) => key === wanted && operator === 'In')?.values ?? [];
  return {
    ...created,
    nodePool,
    instanceTypes: instanceTypes.slice(0, decisionBounds.instanceTypes),
    typeCount: instanceTypes.length,
    zones: valuesOf(labelKeys.zone),
    capacityTypes: valuesOf(labelKeys.capacityType),
    hourly: price,
    ...podFacts(
      pods.filter((uid) => !isUpcomingUid(uid)),
      names,
    ),
    ...upcomingFacts(pods),
  };
}

function upcomingFacts(pods: readonly string[]): Pick<PlannedNodeFacts, 'upcomingPods'> {
  const { items } = shortened(upcomingCounts(pods), decisionBounds.upcomingOwners);
  return items.length === 0 ? {} : { upcomingPods: items };
}

/** A replica of a static NodePool: which type it is comes out at its launch. */
function staticFacts(nodePool: string): PlannedNodeFacts {
  return { nodePool, instanceTypes: [], typeCount: 0, zones: [], capacityTypes: [], hourly: 0, pods: [] };
}

export function podFacts(
  uids: readonly string[],
  names: PodNames,
): Pick<PlannedNodeFacts, 'pods' | 'podCount'> {
  const { items, count } = shortened(uids, decisionBounds.pods);
  const pods = items.flatMap((uid) => podName(uid, names) ?? []);
  return count === undefined ? { pods } : { pods, podCount: count };
}

export function podName(uid: string, names: PodNames): string | undefined {
  const metadata = names.get(uid)?.metadata;
  return metadata === undefined ? undefined : `${metadata.namespace}/${metadata.name}`;
}
