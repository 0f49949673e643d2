import { nodeClaims, nodePools, stateSources } from '@karpenter/controllers/cluster';
import type { ObjectName } from '@karpenter/core/decisions';
import {
  type ExplainedCluster,
  type Explanation,
  explainNode,
  explainNodePool,
  explainPendingPod,
  explainRunningPod,
} from '@karpenter/core/explanation';
import type { ClusterPod, NodeState } from '@karpenter/core/state';
import type { ConnectedCluster } from '../cluster-view/index.ts';
import { ObjectLists } from '../what-if/index.ts';
import { type ExplainedObjects, explainedCluster } from './explained-cluster.ts';
import { liveObjectsToExplain } from './live-source.ts';
import { unknownObject, unknownPod } from './unknown-object.ts';

export interface ExplainPorts {
  readonly clock: { readonly now: () => number; readonly monotonic: () => number };
  /** Prints a note for the user that is not part of the explanation. */
  readonly note: (text: string) => void;
  /** Where nodes are, if neither nodes nor EC2NodeClasses of the cluster say it. */
  readonly region?: string | undefined;
}

/** Long enough for every change on a cluster of hundreds of pending pods; somebody waits for the answer. */
const maxSearchMs = 30_000;

/**
 * Explains one object of a cluster: of a live one, which is read again by every call, or of lists. Throws
 * `unknown-object` for a name that does not exist and `missing-permission` where something may not be read.
 */
export async function explainObject(
  source: ConnectedCluster | ExplainedObjects,
  subject: ObjectName,
  ports: ExplainPorts,
): Promise<Explanation> {
  const objects = 'client' in source ? await liveObjectsToExplain(source, ports) : source;
  const found = foundSubject(new ObjectLists(objects.lists), subject);
  const cluster = await explainedCluster(objects, ports.clock);
  return explained(cluster, found, ports);
}

/** The object that was asked for, as the lists hold it. */
type Found =
  | { readonly kind: 'Pod'; readonly pod: ClusterPod }
  | { readonly kind: 'Node' | 'NodeClaim' | 'NodePool'; readonly name: string };

function foundSubject(lists: ObjectLists, { kind, namespace = 'default', name }: ObjectName): Found {
  if (kind === 'Pod') {
    const pods = lists.of(stateSources.Pod);
    const pod = pods.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
    if (pod === undefined) throw unknownPod(pods, namespace, name);
    return { kind, pod };
  }
  const names = namesOf(lists, kind);
  if (!names.includes(name)) throw unknownObject({ kind, name }, names);
  return { kind, name };
}

function namesOf(lists: ObjectLists, kind: Exclude<ObjectName['kind'], 'Pod'>): readonly string[] {
  const nameOf = ({ metadata }: { readonly metadata: { readonly name: string } }) => metadata.name;
  if (kind === 'Node') return lists.of(stateSources.Node).map(nameOf);
  return kind === 'NodeClaim' ? lists.of(nodeClaims).map(nameOf) : lists.of(nodePools).map(nameOf);
}

function explained(cluster: ExplainedCluster, found: Found, { clock }: ExplainPorts): Explanation {
  if (found.kind === 'Pod') return explainedPod(cluster, found.pod, clock);
  if (found.kind === 'NodePool') {
    const pool = cluster.cluster.nodePools.find(({ metadata }) => metadata.name === found.name);
    if (pool !== undefined) return explainNodePool(cluster, pool);
  }
  const { kind, name } = found;
  const state = cluster.cluster.nodeStates.find((each) => isOf(each, found));
  return state === undefined
    ? launching(cluster, { kind, name })
    : explainNode(cluster, state, { kind, name });
}

function explainedPod(cluster: ExplainedCluster, pod: ClusterPod, clock: ExplainPorts['clock']): Explanation {
  if ((pod.spec.nodeName ?? '') !== '') return explainRunningPod(cluster, pod);
  const deadline = clock.monotonic() + maxSearchMs;
  return explainPendingPod(cluster, pod, () => clock.monotonic() > deadline);
}

function isOf(
  { node, nodeClaim }: NodeState,
  { kind, name }: { readonly kind: string; readonly name: string },
): boolean {
  return (kind === 'Node' ? node : nodeClaim)?.metadata.name === name;
}

/** A NodeClaim without an instance is no node yet. */
function launching({ cluster }: ExplainedCluster, subject: ObjectName): Explanation {
  const claim = cluster.launching.find(
    ({ nodeClaim }) => nodeClaim.metadata.name === subject.name,
  )?.nodeClaim;
  const conditions = claim?.status?.conditions ?? [];
  const failed = conditions.filter(({ status }) => status !== 'True');
  const findings = failed.map(({ type, status, reason = '', message = '' }) => ({
    text: `${type} is ${status}${[reason, message]
      .filter((text) => text !== '')
      .map((text) => `: ${text}`)
      .join('')}`,
    verdict: 'blocked' as const,
  }));
  const since = claim?.metadata.creationTimestamp;
  return {
    subject,
    summary: `${subject.kind} ${subject.name} has no instance yet${since === undefined ? '' : `; it was created at ${since}`}.`,
    sections: findings.length === 0 ? [] : [{ title: 'Lifecycle', findings }],
    changes: [],
  };
}
