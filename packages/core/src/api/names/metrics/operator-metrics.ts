import { exponentialBuckets, prometheusDefaultBuckets, reconcileBuckets } from './buckets.ts';
import { counter, gauge, histogram } from './metric-definition.ts';

const call = ['controller', 'method', 'provider'] as const;

/** Metrics about the process, its cluster state and its calls to the cloud. */
export const operatorMetrics = {
  buildInfo: gauge('karpenter_build_info', 'Always one; the labels tell what is running.', [
    'version',
    'goversion',
    'goarch',
    'commit',
  ]),
  cloudProviderDuration: histogram(
    'karpenter_cloudprovider_duration_seconds',
    'Seconds that calls to the cloud provider took.',
    { buckets: prometheusDefaultBuckets, labels: call },
  ),
  cloudProviderErrors: counter(
    'karpenter_cloudprovider_errors_total',
    'Calls to the cloud provider that failed, by kind of error where it is a known one.',
    [...call, 'error'],
  ),
  clusterStateNodes: gauge(
    'karpenter_cluster_state_node_count',
    'Nodes in the cluster state that plans are computed from.',
  ),
  clusterStateSynced: gauge(
    'karpenter_cluster_state_synced',
    'Whether the cluster state is in sync with the API server: 1 or 0.',
  ),
  clusterStateUnsyncedTime: gauge(
    'karpenter_cluster_state_unsynced_time_seconds',
    'Seconds for which the cluster state has not been in sync with the API server.',
  ),
  clusterUtilization: gauge(
    'karpenter_cluster_utilization_percent',
    'Share of the allocatable resources of all nodes that pods request.',
    ['resource_type'],
  ),
} as const;

const byController = ['controller'] as const;
const queue = ['name', 'controller'] as const;
const queueBuckets = exponentialBuckets({ start: 1e-8, factor: 10, count: 12 });

/** Metrics of every operator built on controller-runtime; dashboards expect these names. */
export const runtimeMetrics = {
  reconciles: counter('controller_runtime_reconcile_total', 'Reconciles by controller and outcome.', [
    'controller',
    'result',
  ]),
  reconcileErrors: counter(
    'controller_runtime_reconcile_errors_total',
    'Reconciles that failed, by controller.',
    byController,
  ),
  terminalReconcileErrors: counter(
    'controller_runtime_terminal_reconcile_errors_total',
    'Reconciles that failed and are not tried again, by controller.',
    byController,
  ),
  reconcilePanics: counter(
    'controller_runtime_reconcile_panics_total',
    'Reconciles that ended in an unexpected error, by controller.',
    byController,
  ),
  reconcileTimeouts: counter(
    'controller_runtime_reconcile_timeouts_total',
    'Total number of reconciliation timeouts per controller.',
    byController,
  ),
  reconcileTime: histogram(
    'controller_runtime_reconcile_time_seconds',
    'Seconds that reconciles took, by controller.',
    {
      buckets: reconcileBuckets,
      labels: byController,
    },
  ),
  maxConcurrentReconciles: gauge(
    'controller_runtime_max_concurrent_reconciles',
    'Reconciles that a controller may run at the same time.',
    byController,
  ),
  activeWorkers: gauge(
    'controller_runtime_active_workers',
    'Reconciles that a controller is running now.',
    byController,
  ),
  queueDepth: gauge('workqueue_depth', 'Objects waiting to be reconciled.', [...queue, 'priority']),
  queueAdds: counter('workqueue_adds_total', 'Objects put into the queue.', queue),
  queueDuration: histogram('workqueue_queue_duration_seconds', 'Seconds that objects waited in the queue.', {
    buckets: queueBuckets,
    labels: queue,
  }),
  workDuration: histogram('workqueue_work_duration_seconds', 'Seconds that objects from the queue took.', {
    buckets: queueBuckets,
    labels: queue,
  }),
  unfinishedWork: gauge(
    'workqueue_unfinished_work_seconds',
    'Seconds that all objects being worked on have taken together so far.',
    queue,
  ),
  longestRunning: gauge(
    'workqueue_longest_running_processor_seconds',
    'Seconds that the object worked on for the longest has taken so far.',
    queue,
  ),
  queueRetries: counter('workqueue_retries_total', 'Objects put back into the queue.', queue),
  apiRequestDuration: histogram(
    'client_go_request_duration_seconds',
    'Seconds that requests to the API server took.',
    {
      buckets: exponentialBuckets({ start: 0.001, factor: 1.5, count: 20 }),
      labels: ['verb', 'group', 'version', 'kind', 'subresource'],
    },
  ),
  apiRequests: counter('client_go_request_total', 'Requests to the API server, by its answer.', [
    'code',
    'method',
  ]),
} as const;

/** Metrics of the lease that replicas compete for, with the names of client-go. */
export const leaderElectionMetrics = {
  masterStatus: gauge(
    'leader_election_master_status',
    'Whether this process is the leader, by name of the Lease: 1 or 0.',
    ['name'],
  ),
} as const;

/** Metrics about the operating-system process; dashboards expect these names for any language. */
export const processMetrics = {
  cpuSeconds: counter('process_cpu_seconds_total', 'Seconds of CPU time that the process has taken.'),
  residentMemory: gauge('process_resident_memory_bytes', 'Memory that the process holds.'),
  virtualMemory: gauge('process_virtual_memory_bytes', 'Address space that the process has.'),
  openFiles: gauge('process_open_fds', 'Files and connections that the process has open.'),
  mostFiles: gauge('process_max_fds', 'Files and connections that the process may have open.'),
  startTime: gauge('process_start_time_seconds', 'When the process began, in seconds since 1970.'),
  heapUsed: gauge('nodejs_heap_size_used_bytes', 'Memory that objects take.'),
  heapTotal: gauge('nodejs_heap_size_total_bytes', 'Memory set aside for objects.'),
  loopDelay: gauge(
    'nodejs_eventloop_lag_p99_seconds',
    'The 99th percentile of the seconds that work waited in the queue since the last scrape.',
  ),
} as const;
