import { labelKeys, type NodePool, normalizeLabel } from '../../api/index.ts';
import { plannablePools } from '../../provisioning/index.ts';
import { checkRequirement } from '../../requirements/index.ts';
import type { ClusterPod } from '../../state/index.ts';
import {
  parseQuantity,
  parseResourceList,
  podRequests,
  type ResourceList,
  subtractResources,
  sumResources,
  type Taint,
  toNumber,
  untolerated,
} from '../../values/index.ts';
import { allocatableOf } from '../checks/resource-findings.ts';
import type { ExplainedCluster } from '../situation.ts';
import { podChanges } from './pod-changes.ts';
import { type PoolChangeInputs, poolChanges } from './pool-changes.ts';
import type { TriedChange } from './trial.ts';
import { usefulValues } from './useful-values.ts';

/** Every change to the pod and to NodePools that could make the pod schedulable. */
export function candidateChanges(explained: ExplainedCluster, pod: ClusterPod): readonly TriedChange[] {
  const pools = dynamicPools(explained);
  const wanted = wantedLabels(explained, pod);
  const obstacles = { taints: blockingTaints(explained, pools, pod), rooms: roomsOf(explained) };
  return [
    ...podChanges(pod, obstacles).map((change): TriedChange => ({ on: 'pod', change })),
    ...pools.flatMap((pool) =>
      poolChanges(pool, inputsFor(explained, { pod, pool }, wanted)).map(
        (change): TriedChange => ({ on: 'pool', change }),
      ),
    ),
  ];
}

/** Less the daemons of the cluster, which may be too much: these are only first guesses. */
function roomsOf({ cluster }: ExplainedCluster): readonly ResourceList[] {
  const daemons = sumResources(...cluster.daemonPods.map((pod) => podRequests(pod)));
  const lists = new Set(cluster.instanceTypes.values());
  const types = [...lists].flatMap((list) =>
    list.map((type) => subtractResources(allocatableOf(type), daemons)),
  );
  const nodes = cluster.nodes.map(({ allocatable, podRequests: used }) =>
    subtractResources(parseResourceList(allocatable), parseResourceList(used)),
  );
  return [...types, ...nodes];
}

/** NodePools that can create nodes for pods, ready or not. */
export function dynamicPools({ cluster, environment }: ExplainedCluster): readonly NodePool[] {
  const { nodePools, notReady } = plannablePools(cluster.nodePools, environment.isManaged);
  return [...nodePools, ...notReady];
}

/**
 * Taints that Kubernetes and Karpenter set while something is wrong or under way end by themselves; those of control
 * planes and system nodes are not for workloads.
 */
const systemTaint =
  /^((node|node\.cloudprovider|node-role)\.kubernetes\.io\/|karpenter\.sh\/|CriticalAddonsOnly$)/;

function blockingTaints(
  { cluster }: ExplainedCluster,
  pools: readonly NodePool[],
  { spec }: ClusterPod,
): readonly Taint[] {
  const taints: readonly Taint[] = [
    ...pools.flatMap((pool) => pool.spec.template.spec.taints ?? []),
    ...cluster.nodes.flatMap((node) => node.taints),
  ];
  const blocking = untolerated(taints, spec.tolerations).filter(
    ({ key, effect }) => effect !== 'PreferNoSchedule' && !systemTaint.test(key),
  );
  const byText = new Map(
    blocking.map(({ key, value, effect }) => [
      `${key}=${value ?? ''}:${effect}`,
      { key, effect, ...(value !== undefined && { value }) },
    ]),
  );
  return [...byText.values()];
}

function inputsFor(
  explained: ExplainedCluster,
  { pod, pool }: { readonly pod: ClusterPod; readonly pool: NodePool },
  wanted: PoolChangeInputs['wanted'],
): PoolChangeInputs {
  const { cluster, environment } = explained;
  return {
    useful: usefulValues(explained, pod, pool),
    types: cluster.instanceTypes.get(pool.metadata.name) ?? [],
    wanted,
    mayLabel: (item) =>
      !environment.policy.wellKnown.has(item.key) && checkRequirement(item, environment.policy).length === 0,
    used: usedOf(pool, cluster.nodes),
  };
}

/** As plans count: nodes that are being deleted do not count against limits. */
export function usedOf(
  { metadata, spec }: NodePool,
  nodes: ExplainedCluster['cluster']['nodes'],
): Readonly<Record<string, number>> {
  const own = nodes.filter(
    ({ nodePool, labels, deleting }) =>
      !deleting && (nodePool ?? labels[labelKeys.nodePool]) === metadata.name,
  );
  return Object.fromEntries(
    Object.keys(spec.limits ?? {}).map((resource) => [
      resource,
      resource === 'nodes'
        ? own.length
        : own.reduce(
            (sum, { capacity }) => sum + toNumber(parseQuantity(capacity[resource] ?? 0, resource)),
            0,
          ),
    ]),
  );
}

/** What the pod asks of labels, by key; an empty set where any value would do. */
function wantedLabels({ environment }: ExplainedCluster, { spec }: ClusterPod): PoolChangeInputs['wanted'] {
  const wanted = new Map<string, Set<string>>();
  const want = (label: string, values: readonly string[]) => {
    const key = normalizeLabel(label, environment.policy);
    wanted.set(key, new Set([...(wanted.get(key) ?? []), ...values]));
  };
  for (const [key, value] of Object.entries(spec.nodeSelector ?? {})) want(key, [value]);
  const terms =
    spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  for (const { key, operator, values = [] } of terms.flatMap((term) => term.matchExpressions ?? []))
    if (operator === 'In' || operator === 'Exists') want(key, values);
  return wanted;
}
