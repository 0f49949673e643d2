import { type Dashboard, interval, quantileOf, type Row } from './dashboard.ts';

/** Metrics that many programs share are restricted to the processes of Karpenter. */
const ofKarpenter = ' and on (job, instance) karpenter_build_info';

const overview: Row = {
  title: 'Overview',
  panels: [
    {
      title: 'Leaders',
      description: 'Exactly one process leads. Without a leader nothing happens.',
      unit: 'count',
      kind: 'number',
      queries: [
        {
          expr: `count(leader_election_master_status == 1${ofKarpenter}) or vector(0)`,
          legend: 'leaders',
        },
      ],
    },
    {
      title: 'Processes',
      description: 'Processes that are scraped, by version.',
      unit: 'count',
      kind: 'number',
      queries: [{ expr: 'count by (version) (karpenter_build_info)', legend: '{{version}}' }],
    },
    {
      title: 'Nodes in the state',
      description: 'Nodes and NodeClaims that plans are made from.',
      unit: 'count',
      kind: 'number',
      queries: [{ expr: 'max(karpenter_cluster_state_node_count)', legend: 'nodes' }],
    },
    {
      title: 'Uptime',
      description: 'Of the process that started last.',
      unit: 'seconds',
      kind: 'number',
      queries: [{ expr: `time() - max(process_start_time_seconds${ofKarpenter})`, legend: 'uptime' }],
    },
  ],
};

const reconcileRow: Row = {
  title: 'Reconciles',
  panels: [
    {
      title: 'Reconciles',
      description: 'The twelve busiest controllers.',
      unit: 'perSecond',
      queries: [
        {
          expr: `topk(12, sum by (controller) (rate(controller_runtime_reconcile_total${interval})${ofKarpenter}))`,
          legend: '{{controller}}',
        },
      ],
    },
    {
      title: 'Reconcile errors',
      description: 'Failed reconciles are retried with backoff.',
      unit: 'perSecond',
      queries: [
        {
          expr: `sum by (controller) (rate(controller_runtime_reconcile_errors_total${interval})${ofKarpenter}) > 0`,
          legend: '{{controller}}',
        },
      ],
    },
    {
      title: 'Panics and timeouts',
      description: 'Both are bugs and stay at zero.',
      unit: 'count',
      queries: [
        {
          expr: `sum(increase(controller_runtime_reconcile_panics_total${interval})${ofKarpenter})`,
          legend: 'panics',
        },
        {
          expr: `sum(increase(controller_runtime_reconcile_timeouts_total${interval})${ofKarpenter})`,
          legend: 'timeouts',
        },
      ],
    },
    {
      title: 'Time of a reconcile',
      description: '99th percentile of the twelve slowest controllers.',
      unit: 'seconds',
      queries: [
        {
          expr: `topk(12, histogram_quantile(0.99, sum by (le, controller) (rate(controller_runtime_reconcile_time_seconds_bucket${interval})${ofKarpenter})))`,
          legend: '{{controller}}',
        },
      ],
    },
    {
      title: 'Objects in queues',
      description: 'A queue that keeps growing belongs to a controller that cannot keep up.',
      unit: 'count',
      queries: [{ expr: `sum by (name) (workqueue_depth${ofKarpenter}) > 0`, legend: '{{name}}' }],
    },
    {
      title: 'Longest running reconcile',
      description:
        'The provisioner and the interruption controller wait for their next work inside a reconcile.',
      unit: 'seconds',
      queries: [
        {
          expr: `topk(12, max by (name) (workqueue_longest_running_processor_seconds${ofKarpenter}))`,
          legend: '{{name}}',
        },
      ],
    },
  ],
};

const callRow: Row = {
  title: 'Calls',
  panels: [
    {
      title: 'Requests to the API server',
      description: 'By answer; many 409 and 429 slow the controllers down.',
      unit: 'perSecond',
      queries: [
        {
          expr: `sum by (code) (rate(client_go_request_total${interval})${ofKarpenter})`,
          legend: '{{code}}',
        },
      ],
    },
    {
      title: 'Time of requests to the API server',
      description: '99th percentile by verb.',
      unit: 'seconds',
      queries: [
        {
          expr: quantileOf(0.99, 'client_go_request_duration_seconds_bucket', ['verb']),
          legend: '{{verb}}',
        },
      ],
    },
    {
      title: 'Calls to AWS',
      description: 'Attempts by service and answer; 503 and RequestLimitExceeded mean throttling.',
      unit: 'perSecond',
      queries: [
        {
          expr: `sum by (service, code) (rate(aws_sdk_go_request_attempt_total${interval}))`,
          legend: '{{service}} {{code}}',
        },
      ],
    },
    {
      title: 'Errors of the cloud provider',
      description: 'By method and kind; NodeClaimNotFoundError is normal when instances end.',
      unit: 'perSecond',
      queries: [
        {
          expr: `sum by (method, error) (rate(karpenter_cloudprovider_errors_total${interval}))`,
          legend: '{{method}} {{error}}',
        },
      ],
    },
  ],
};

const processRow: Row = {
  title: 'Process',
  panels: [
    {
      title: 'CPU',
      description: 'Cores that each process uses.',
      unit: 'cores',
      queries: [{ expr: `rate(process_cpu_seconds_total${interval})${ofKarpenter}`, legend: '{{instance}}' }],
    },
    {
      title: 'Memory',
      description: 'Memory of each process, and the part that JavaScript objects take.',
      unit: 'bytes',
      queries: [
        { expr: `process_resident_memory_bytes${ofKarpenter}`, legend: '{{instance}} resident' },
        { expr: `nodejs_heap_size_used_bytes${ofKarpenter}`, legend: '{{instance}} objects' },
      ],
    },
    {
      title: 'Event loop delay',
      description: '99th percentile since the last scrape. Seconds of delay endanger the lease.',
      unit: 'seconds',
      queries: [{ expr: `nodejs_eventloop_lag_p99_seconds${ofKarpenter}`, legend: '{{instance}}' }],
    },
  ],
};

export const controllerHealth: Dashboard = {
  name: 'karpenter-controller-health',
  title: 'Karpenter / Controller health',
  description: 'Whether the controllers work: leader, reconciles, calls and the process itself.',
  rows: [overview, reconcileRow, callRow, processRow],
};
