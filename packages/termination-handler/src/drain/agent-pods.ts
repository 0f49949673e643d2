import { type ClusterPod, isDaemon, isMirror, isTerminal } from '@karpenter/core/state';
import { type Kind, type KubeObject, type KubeReader, kinds, type ObjectKey } from '@karpenter/kube/client';

export type AgentPod = ClusterPod & KubeObject;

const { group, version, kind, plural, namespaced } = kinds.pod;
const podKind: Kind<AgentPod> = { group, version, kind, plural, namespaced };

export interface PodChoice {
  readonly nodeName: string;
  /** The pod of the agent itself, which has to see the drain through. */
  readonly ownPod: ObjectKey;
  readonly ignoresDaemonSets: boolean;
  /** Accepts a list from the cache of the API server. */
  readonly usesCache: boolean;
}

/** The pods that a drain of the node evicts, as `kubectl drain --force` chooses them. */
export async function podsToEvict(
  client: Pick<KubeReader, 'list' | 'find'>,
  choice: PodChoice,
): Promise<readonly AgentPod[]> {
  const { items } = await client.list(podKind, {
    fieldSelector: `spec.nodeName=${choice.nodeName}`,
    ...(choice.usesCache && { resourceVersion: '0' }),
  });
  const candidates = items.filter((pod) => !isMirror(pod) && !isTerminal(pod) && !isOwn(pod, choice.ownPod));
  if (!choice.ignoresDaemonSets) return candidates;
  const orphans = await orphanedOwners(client, candidates.filter(isDaemon));
  return candidates.filter((pod) => !isDaemon(pod) || orphans.has(ownerKey(pod)));
}

function isOwn({ metadata }: AgentPod, { namespace, name }: ObjectKey): boolean {
  return metadata.name === name && metadata.namespace === namespace;
}

/** DaemonSets of these pods that do not exist any more: nothing keeps or replaces such a pod. */
async function orphanedOwners(
  client: Pick<KubeReader, 'find'>,
  pods: readonly AgentPod[],
): Promise<ReadonlySet<string>> {
  const owners = new Map(pods.map((pod) => [ownerKey(pod), ownerOf(pod)]));
  const orphans = new Set<string>();
  for (const [key, owner] of owners) {
    if ((await client.find(kinds.daemonSet, owner)) === undefined) orphans.add(key);
  }
  return orphans;
}

function ownerOf({ metadata }: AgentPod): ObjectKey {
  const owner = metadata.ownerReferences?.find((each) => each.kind === 'DaemonSet');
  return { namespace: metadata.namespace, name: owner?.name ?? '' };
}

function ownerKey(pod: AgentPod): string {
  const { namespace, name } = ownerOf(pod);
  return `${namespace}/${name}`;
}

/** Whether the pod loses data when it is evicted. */
export function hasLocalData({ spec }: AgentPod): boolean {
  return (spec.volumes ?? []).some((volume) => 'emptyDir' in volume);
}

export function podText({ metadata }: AgentPod): string {
  return `${metadata.namespace}/${metadata.name}`;
}
