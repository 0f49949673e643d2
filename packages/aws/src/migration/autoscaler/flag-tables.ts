const noGate =
  'Karpenter has no such gate: give the pods a PodDisruptionBudget or the annotation karpenter.sh/do-not-disrupt';

/** Flags of Cluster Autoscaler without an equivalent in Karpenter, with the reason. */
export const unmappedFlags: ReadonlyMap<string, string> = new Map([
  ['skip-nodes-with-system-pods', noGate],
  ['skip-nodes-with-local-storage', noGate],
  ['skip-nodes-with-custom-controller-pods', noGate],
  [
    'expendable-pods-priority-cutoff',
    'Karpenter makes nodes for pods of every priority: such pods will cause nodes; scale them down or give them a NodePool with limits',
  ],
  [
    'max-node-provision-time',
    'fixed: a NodeClaim that does not launch in 5 minutes or register in 15 is deleted and replaced',
  ],
  ['scale-down-delay-after-delete', 'consolidation waits 15 seconds before it acts, and no longer'],
  ['scale-down-delay-after-failure', 'consolidation is retried as soon as the cluster has changed'],
  ['scale-down-unready-time', 'node repair replaces unhealthy nodes if the feature gate NodeRepair is on'],
  ['scale-down-non-empty-candidates-count', 'consolidation looks at all nodes'],
  ['scale-down-candidates-pool-ratio', 'consolidation looks at all nodes'],
  ['scale-down-gpu-utilization-threshold', 'consolidation compares prices, not utilization'],
  ['max-empty-bulk-delete', 'use --max-scale-down-parallelism, which maps to disruption budgets'],
  ['ok-total-unready-count', 'unready nodes do not stop Karpenter'],
  ['max-total-unready-percentage', 'unready nodes do not stop Karpenter'],
  ['max-failing-time', 'health probes of the controller take its place'],
  ['max-inactivity', 'health probes of the controller take its place'],
  ['balancing-ignore-label', 'Karpenter spreads pods, not groups: use topologySpreadConstraints'],
  ['balancing-label', 'Karpenter spreads pods, not groups: use topologySpreadConstraints'],
  ['enforce-node-group-min-size', 'there are no groups: see the finding about minSize'],
  ['gpu-total', 'limits count per pool: set NodePool spec.limits of the resource, such as nvidia.com/gpu'],
]);

const events = 'Karpenter acts on events, not at intervals';
const groups = 'there are no groups to find';
const process = 'a setting of the process of Cluster Autoscaler';

/** Flags that need no equivalent, with the reason. */
export const irrelevantFlags: ReadonlyMap<string, string> = new Map([
  ['scan-interval', events],
  ['max-bulk-soft-taint-count', events],
  ['max-bulk-soft-taint-time', events],
  ['node-group-auto-discovery', groups],
  ['nodes', groups],
  ['scale-up-from-zero', 'every NodePool scales up from zero'],
  ['force-ds', 'plans always count DaemonSets'],
  ['aws-use-static-instance-list', 'instance types come from EC2'],
  ['ignore-daemonsets-utilization', 'consolidation compares prices, not utilization'],
  ['ignore-mirror-pods-utilization', 'consolidation compares prices, not utilization'],
  ...[
    'address',
    'alsologtostderr',
    'cloud-config',
    'cloud-provider',
    'cluster-name',
    'cordon-node-before-terminating',
    'emit-per-nodegroup-metrics',
    'kube-client-burst',
    'kube-client-qps',
    'kubeconfig',
    'kubernetes',
    'leader-elect',
    'leader-elect-lease-duration',
    'leader-elect-renew-deadline',
    'leader-elect-resource-name',
    'leader-elect-retry-period',
    'logtostderr',
    'namespace',
    'profiling',
    'record-duplicated-events',
    'regional',
    'status-config-map-name',
    'stderrthreshold',
    'v',
    'vmodule',
    'write-status-configmap',
  ].map((name): [string, string] => [name, process]),
]);
