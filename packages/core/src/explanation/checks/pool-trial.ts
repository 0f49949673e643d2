import type { NodePool } from '../../api/index.ts';
import { planInput } from '../../provisioning/index.ts';
import { type FailedCheck, type PoolRejection, plan } from '../../scheduling/index.ts';
import type { ClusterPod } from '../../state/index.ts';
import { asIfReady } from '../changes/pool-changes.ts';
import type { ExplainedCluster } from '../situation.ts';

/** A pod and the NodePool that it is tried on. */
export interface PodAndPool {
  readonly pod: ClusterPod;
  readonly pool: NodePool;
}

/** Why the planner rejects a new node of the pool for the pod; undefined if it does not. */
export function poolRejection(
  { cluster, environment, options }: ExplainedCluster,
  { pod, pool }: PodAndPool,
): PoolRejection | undefined {
  const alone = {
    ...cluster,
    nodePools: [asIfReady(pool)],
    pendingPods: [pod],
    movingPods: [],
    // Nodes without room: they still count in topology and limits.
    nodes: cluster.nodes.map((node) => ({ ...node, allocatable: {} })),
  };
  const input = planInput(alone, { ...environment, bufferPods: [] });
  const { rejections } = plan({ ...input.snapshot, pods: [pod] }, options);
  const [rejection] = rejections;
  if (rejection === undefined) return undefined;
  return rejection.reasons[0] ?? { failed: ['requirements'], message: rejection.message };
}

/** Takes away from pod and pool all that the check looks at, so that the next check shows. */
export const withoutCheck: Readonly<Record<FailedCheck, (tried: PodAndPool) => PodAndPool>> = {
  taints: ({ pod, pool }) => ({ pod: withSpec(pod, { tolerations: [{ operator: 'Exists' }] }), pool }),
  requirements: ({ pod, pool }) => ({
    pod: withSpec(pod, { nodeSelector: {}, affinity: { ...pod.spec.affinity, nodeAffinity: {} } }),
    pool,
  }),
  limits: ({ pod, pool: { spec, ...pool } }) => {
    const { limits: _limits, ...unlimited } = spec;
    return { pod, pool: { ...pool, spec: unlimited } };
  },
  topology: ({ pod, pool }) => {
    const { nodeAffinity = {} } = pod.spec.affinity ?? {};
    return { pod: withSpec(pod, { topologySpreadConstraints: [], affinity: { nodeAffinity } }), pool };
  },
  resources: ({ pod, pool }) => ({ pod: withoutRequests(pod), pool }),
  offering: (tried) => tried,
  volume: ({ pod, pool }) => ({ pod: withSpec(pod, { volumes: [] }), pool }),
  reservations: (tried) => tried,
  devices: ({ pod, pool }) => ({ pod: withSpec(pod, { resourceClaims: [] }), pool }),
};

function withSpec(pod: ClusterPod, parts: Partial<ClusterPod['spec']>): ClusterPod {
  return { ...pod, spec: { ...pod.spec, ...parts } };
}

function withoutRequests({ spec, ...pod }: ClusterPod): ClusterPod {
  const { initContainers: _init, overhead: _overhead, resources: _resources, ...rest } = spec;
  const containers = spec.containers.map(
    ({ resources: _requests, ports: _ports, ...container }) => container,
  );
  return { ...pod, spec: { ...rest, containers } };
}
