import {
  array,
  boolean,
  type Infer,
  integer,
  map,
  object,
  quantityPattern,
  stringItem,
  type ValidationRule,
} from '@karpenter/core/schema';

/** Keys that systemReserved and kubeReserved accept, and eviction signals that Karpenter's CRD accepts. */
const reservableResources = ['cpu', 'memory', 'ephemeral-storage', 'pid'];
const evictionSignals = [
  'memory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'pid.available',
];

/**
 * A percentage from 0 to 100 with at most two decimals, or a
 * quantity. The empty alternative is in Karpenter's CRD too.
 */
const thresholdPattern = `^((\\d{1,2}(\\.\\d{1,2})?|100(\\.0{1,2})?)%||${quantityPattern.slice(1, -1)})$`;

function onlyKeys(field: string, keys: readonly string[]): ValidationRule {
  const list = keys.map((key) => `'${key}'`).join(',');
  return { rule: `self.all(key, key in [${list}])`, message: `valid keys for ${field} are [${list}]` };
}

/** A map of reserved resources by name. */
function reserved(field: string, description: string) {
  return map(description, stringItem({ pattern: quantityPattern }), {
    rules: [
      onlyKeys(field, reservableResources),
      {
        rule: `self.all(key, !self[key].startsWith('-'))`,
        message: `${field} value cannot be a negative resource quantity`,
      },
    ],
  });
}

/** A map of eviction thresholds by signal. */
function thresholds(field: string, description: string) {
  return map(description, stringItem({ pattern: thresholdPattern }), {
    rules: [onlyKeys(field, evictionSignals)],
  });
}

/** Needs no `has` for the other map: a missing one is an evaluation error, which rejects the object too. */
function eachKeyAlsoIn(field: string, other: string): ValidationRule {
  return {
    rule: `!has(self.${field}) || self.${field}.all(key, key in self.${other})`,
    message: `${field} OwnerKey does not have a matching ${other}`,
  };
}

export const kubelet = object(
  'Settings of the kubelet, as far as they change what fits on a node or how it starts.',
  {
    clusterDNS: array('The addresses of the cluster DNS service.', stringItem()),
    maxPods: integer('The most pods that a node runs, instead of the limit of its network.', {
      format: 'int32',
      minimum: 0,
    }),
    podsPerCore: integer(
      'The most pods for each vCPU; `maxPods` still caps the sum. 0 means no such limit.',
      {
        format: 'int32',
        minimum: 0,
      },
    ),
    systemReserved: reserved('systemReserved', 'Resources set aside for the operating system.'),
    kubeReserved: reserved('kubeReserved', 'Resources set aside for the kubelet and the container runtime.'),
    evictionHard: thresholds(
      'evictionHard',
      'Thresholds at which the kubelet removes pods at once, such as `memory.available: 5%`.',
    ),
    evictionSoft: thresholds(
      'evictionSoft',
      'Thresholds at which the kubelet removes pods after a grace period; each needs an entry in `evictionSoftGracePeriod`.',
    ),
    evictionSoftGracePeriod: map(
      'How long a soft threshold must be crossed before pods are removed, such as `memory.available: 1m30s`.',
      stringItem(),
      { rules: [onlyKeys('evictionSoftGracePeriod', evictionSignals)] },
    ),
    evictionMaxPodGracePeriod: integer(
      'The most seconds that a pod removed for a soft threshold gets to stop.',
      { format: 'int32' },
    ),
    imageGCHighThresholdPercent: integer('The share of disk use above which unused images are removed.', {
      format: 'int32',
      minimum: 0,
      maximum: 100,
    }),
    imageGCLowThresholdPercent: integer('The share of disk use down to which unused images are removed.', {
      format: 'int32',
      minimum: 0,
      maximum: 100,
    }),
    cpuCFSQuota: boolean('Whether CPU limits of containers are enforced.'),
  },
  {
    rules: [
      {
        rule: '!has(self.imageGCHighThresholdPercent) || !has(self.imageGCLowThresholdPercent) || self.imageGCHighThresholdPercent > self.imageGCLowThresholdPercent',
        message: 'imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent',
      },
      eachKeyAlsoIn('evictionSoft', 'evictionSoftGracePeriod'),
      eachKeyAlsoIn('evictionSoftGracePeriod', 'evictionSoft'),
    ],
  },
);

export type KubeletConfiguration = Infer<typeof kubelet>;
