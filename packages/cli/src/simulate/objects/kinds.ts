/** Kinds that create pods from a template and a count. */
export const workloadKinds: ReadonlySet<string> = new Set([
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'ReplicationController',
  'Job',
]);

const plannedKinds: ReadonlySet<string> = new Set([
  ...workloadKinds,
  'NodePool',
  'Pod',
  'DaemonSet',
  'Node',
  'NodeClaim',
  'NodeOverlay',
  'CapacityBuffer',
  'PodTemplate',
  'Namespace',
  'Service',
  'PersistentVolumeClaim',
  'PersistentVolume',
  'StorageClass',
  'CSINode',
  'PodDisruptionBudget',
]);

/** Kinds that could matter but are skipped, with the consequence for the plan. The user gets it as a note. */
export const unreadKinds: Readonly<Record<string, string>> = {
  EC2NodeClass: 'every instance type and zone of the catalogue is taken to be allowed',
  CronJob: 'its jobs are not planned for',
  LimitRange: 'its defaults are not put into pods',
  ResourceClaim: 'pods that claim devices are not planned for',
  ResourceClaimTemplate: 'pods that claim devices are not planned for',
};

/** Kinds that often accompany workloads and never affect where pods go; skipped without a note. */
const irrelevantKinds: ReadonlySet<string> = new Set([
  'ClusterRole',
  'ClusterRoleBinding',
  'ConfigMap',
  'CustomResourceDefinition',
  'DeviceClass',
  'Endpoints',
  'EndpointSlice',
  'HorizontalPodAutoscaler',
  'Ingress',
  'Lease',
  'NetworkPolicy',
  'PriorityClass',
  'ResourceQuota',
  'Role',
  'RoleBinding',
  'Secret',
  'ServiceAccount',
  'VolumeAttachment',
]);

export type KindUse = 'planned' | 'unread' | 'irrelevant' | 'unknown';

/** `unknown` is an error instead of a note, because nobody can say what the plan would miss without the object. */
export function useOfKind(kind: string): KindUse {
  if (plannedKinds.has(kind)) return 'planned';
  if (Object.hasOwn(unreadKinds, kind)) return 'unread';
  return irrelevantKinds.has(kind) ? 'irrelevant' : 'unknown';
}

export const plannedKindsText = [...plannedKinds].join(', ');
