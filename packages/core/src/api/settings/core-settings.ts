import { featureGatesSetting } from './feature-gates.ts';
import type { Settings } from './setting.ts';
import {
  booleanSetting,
  choiceSetting,
  durationSetting,
  integerSetting,
  numberSetting,
  textSetting,
} from './setting-kinds.ts';

const defaultCpuRequests = 1000;

/** Settings common to all clouds; a provider adds its own. */
export const coreSettings = {
  karpenterService: textSetting('karpenter-service', {
    default: '',
    description: 'Name of the Service in front of the controller',
  }),
  metricsPort: integerSetting('metrics-port', {
    default: 8080,
    description: 'Port that metrics are served on',
  }),
  healthProbePort: integerSetting('health-probe-port', {
    default: 8081,
    description: 'Port that health and readiness are served on',
  }),
  kubeClientQps: integerSetting('kube-client-qps', {
    default: 200,
    description: 'Requests to the API server per second, over time',
  }),
  kubeClientBurst: integerSetting('kube-client-burst', {
    default: 300,
    description: 'Requests to the API server at once, before the rate counts',
  }),
  enableProfiling: booleanSetting('enable-profiling', {
    default: false,
    description: 'Serves profiles on the metrics port',
  }),
  disableControllerWarmup: booleanSetting('disable-controller-warmup', {
    default: true,
    description: 'Fills caches only after this replica has become the leader',
  }),
  disableLeaderElection: booleanSetting('disable-leader-election', {
    default: false,
    description: 'Acts without being elected leader; for a single replica only',
  }),
  disableClusterStateObservability: booleanSetting('disable-cluster-state-observability', {
    default: false,
    description: 'Leaves out metrics and events on each pod, node, NodePool and condition',
  }),
  leaderElectionName: textSetting('leader-election-name', {
    default: 'karpenter-leader-election',
    description: 'Name of the Lease that replicas compete for',
  }),
  leaderElectionNamespace: textSetting('leader-election-namespace', {
    default: '',
    description: 'Namespace of that Lease; empty means the namespace of the pod',
  }),
  memoryLimit: integerSetting('memory-limit', {
    default: -1,
    description:
      'Memory limit of the container in bytes, of which 90 % are used before memory is reclaimed harder; -1 for none',
  }),
  cpuRequests: integerSetting('cpu-requests', {
    default: defaultCpuRequests,
    adjust: (value) => (value > 0 ? value : defaultCpuRequests),
    description:
      'CPU request of the container in millicores, which decides how much is done at the same time',
  }),
  logLevel: choiceSetting('log-level', {
    choices: ['debug', 'info', 'error'],
    default: 'info',
    description: 'The least serious log lines to write',
  }),
  logOutputPaths: textSetting('log-output-paths', {
    default: 'stdout',
    description: 'Where log lines go: files, stdout or stderr, separated by commas',
  }),
  logErrorOutputPaths: textSetting('log-error-output-paths', {
    default: 'stderr',
    description: 'Where failures of logging itself go, in the same form',
  }),
  batchMaxDuration: durationSetting('batch-max-duration', {
    default: '10s',
    description: 'The longest time to collect pending pods before planning for them',
  }),
  batchIdleDuration: durationSetting('batch-idle-duration', {
    default: '1s',
    description: 'Planning starts when no new pending pod has come for this time',
  }),
  planUpcomingPods: booleanSetting('plan-upcoming-pods', {
    default: true,
    description:
      'Sizes new nodes also for pods that a ReplicaSet or Job is creating at the moment, so that pods that arrive one by one get as few nodes as all at once',
  }),
  preferencePolicy: choiceSetting('preference-policy', {
    choices: ['Respect', 'Ignore'],
    default: 'Respect',
    description: 'Whether preferences of pods are followed where possible or not at all',
  }),
  minValuesPolicy: choiceSetting('min-values-policy', {
    choices: ['Strict', 'BestEffort'],
    default: 'Strict',
    description: 'Whether minValues of a NodePool must be met or only as far as possible',
  }),
  nodeOverheadPrice: numberSetting('node-overhead-price', {
    default: 0.01,
    description:
      'Dollars per hour that a node costs besides its instance, at least; plans with fewer nodes may cost that much more',
  }),
  ignoreDraRequests: booleanSetting('ignore-dra-requests', {
    default: true,
    description:
      'Leaves pods with resource claims (dynamic resource allocation) alone; otherwise plans give them devices',
  }),
  featureGates: featureGatesSetting('feature-gates', {
    default: {
      NodeRepair: false,
      ReservedCapacity: true,
      SpotToSpotConsolidation: false,
      NodeOverlay: false,
      StaticCapacity: false,
      CapacityBuffer: false,
    },
    description: 'Features to switch on or off',
  }),
  decisionLogSize: integerSetting('decision-log-size', {
    default: 1_000,
    adjust: (value) => Math.max(0, value),
    description:
      'How many decisions are kept in memory and served at /decisions of the metrics port; 0 for none',
  }),
  decisionLogClusters: integerSetting('decision-log-clusters', {
    default: 5,
    adjust: (value) => Math.max(0, value),
    description:
      'How many of the last plans and disruptions keep their cluster for karpenter replay; 0 for none',
  }),
  schedulerConfig: textSetting('scheduler-config', {
    default: '',
    accepts: 'YAML with podTopologySpread.defaultConstraints',
    description:
      'Topology spread that pods without their own are given, as the kube-scheduler of the cluster does',
  }),
} as const;

export type CoreSettings = Settings<typeof coreSettings>;
export type CoreFeatureGate = keyof CoreSettings['featureGates'];
