import {
  booleanSetting,
  choiceSetting,
  durationSetting,
  integerSetting,
  minutes,
  numberSetting,
  type SettingDefinition,
  type Settings,
  textSetting,
} from '@karpenter/core/api';
import type { DurationMs } from '@karpenter/core/values';

const absoluteUrl = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#\s]+/;
const minRefresh = minutes(1);

/** A refresh interval with a minimum of one minute. */
function refreshSetting(flag: string, description: string): SettingDefinition<DurationMs> {
  return durationSetting(flag, {
    default: '1m',
    accepts: 'a duration of at least 1m',
    description,
    check: (value) => (value < minRefresh ? `${flag} must be at least 1m` : undefined),
  });
}

/**
 * AWS settings, in addition to those of core. Flags,
 * variables and defaults are Karpenter's where it has them.
 */
export const awsSettings = {
  clusterName: textSetting('cluster-name', {
    default: '',
    accepts: 'the name of the EKS cluster (required)',
    description: 'Cluster that nodes join and that everything made in AWS is tagged with',
    check: (value) => (value === '' ? 'missing field, cluster-name' : undefined),
  }),
  clusterEndpoint: textSetting('cluster-endpoint', {
    default: '',
    accepts: 'an absolute URL',
    description: 'API server that nodes talk to; looked up in EKS when empty',
    check: (value) =>
      value === '' || absoluteUrl.test(value) ? undefined : 'cluster endpoint URL is not valid',
  }),
  clusterCaBundle: textSetting('cluster-ca-bundle', {
    default: '',
    accepts: 'certificates in base64',
    description: 'What nodes verify the API server by; taken from the own connection when empty',
  }),
  interruptionQueue: textSetting('interruption-queue', {
    default: '',
    accepts: 'the name of an SQS queue',
    description: 'SQS queue of interruption messages; if empty, interruptions are not handled',
  }),
  rebalancePolicy: choiceSetting('rebalance-policy', {
    choices: ['Ignore', 'Replace'],
    default: 'Ignore',
    description: 'Whether nodes that EC2 recommends to leave are replaced before they are interrupted',
  }),
  rebalanceReplacementsPerHour: integerSetting('rebalance-replacements-per-hour', {
    default: 10,
    accepts: 'a whole number that is not negative',
    description: 'How many nodes are replaced in an hour with the rebalance policy Replace',
    check: (value) => (value < 0 ? 'rebalance-replacements-per-hour cannot be negative' : undefined),
  }),
  isolatedVpc: booleanSetting('isolated-vpc', {
    default: false,
    description: 'Calls no AWS service that has no VPC endpoint, such as Pricing and IAM',
  }),
  eksControlPlane: booleanSetting('eks-control-plane', {
    default: false,
    description: 'Asks EKS rather than the API server for the Kubernetes version',
  }),
  disableDryRun: booleanSetting('disable-dry-run', {
    default: false,
    description: 'Marks EC2NodeClasses as valid without trying their permissions',
  }),
  enableZonalShift: booleanSetting('enable-zonal-shift', {
    default: false,
    description: 'Launches nothing in zones that traffic is shifted away from',
  }),
  vmMemoryOverheadPercent: numberSetting('vm-memory-overhead-percent', {
    default: 0.075,
    accepts: 'a fraction of one that is not negative',
    description: 'Share of the memory of an instance that the hypervisor and the kernel keep',
    check: (value) => (value < 0 ? 'vm-memory-overhead-percent cannot be negative' : undefined),
  }),
  reservedEnis: integerSetting('reserved-enis', {
    default: 0,
    accepts: 'a whole number that is not negative',
    description: 'Network interfaces of each node that are not for pods',
    check: (value) => (value < 0 ? 'reserved-enis cannot be negative' : undefined),
  }),
  amiRefreshInterval: refreshSetting('ami-refresh-interval', 'How often images are looked up'),
  subnetRefreshInterval: refreshSetting('subnet-refresh-interval', 'How often subnets are looked up'),
} as const;

export type AwsSettings = Settings<typeof awsSettings>;
