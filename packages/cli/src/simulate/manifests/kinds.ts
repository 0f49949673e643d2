/** Kinds that make pods by the number, and what may own them in turn. */
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
  'Namespace',
]);

/** Not looked at although they could matter, and what that means for the plan. */
export const unreadKinds: Readonly<Record<string, string>> = {
  EC2NodeClass: 'every instance type and zone of the catalogue is taken to be allowed',
  NodeClaim: 'nodes on their way are not counted',
  NodeOverlay: 'prices and capacities are those of the catalogue',
  CapacityBuffer: 'no room is kept for it',
  CronJob: 'its jobs are not planned for',
  PersistentVolume: 'volumes do not bind pods to zones',
  PersistentVolumeClaim: 'volumes do not bind pods to zones',
  StorageClass: 'volumes do not bind pods to zones',
};

/** Ordinary companions of workloads that have no say in where pods go. */
const irrelevantKinds: ReadonlySet<string> = new Set([
  'ClusterRole',
  'ClusterRoleBinding',
  'ConfigMap',
  'CustomResourceDefinition',
  'Endpoints',
  'EndpointSlice',
  'HorizontalPodAutoscaler',
  'Ingress',
  'NetworkPolicy',
  'PodDisruptionBudget',
  'PriorityClass',
  'Role',
  'RoleBinding',
  'Secret',
  'Service',
  'ServiceAccount',
]);

export type KindUse = 'planned' | 'unread' | 'irrelevant' | 'unknown';

export function useOfKind(kind: string): KindUse {
  if (plannedKinds.has(kind)) return 'planned';
  if (Object.hasOwn(unreadKinds, kind)) return 'unread';
  return irrelevantKinds.has(kind) ? 'irrelevant' : 'unknown';
}

export const plannedKindsText = [...plannedKinds].join(', ');
