import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from 'kubernetes-types/admissionregistration/v1.js';
import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1.js';
import type {
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
} from 'kubernetes-types/apps/v1.js';
import type { CronJob, Job } from 'kubernetes-types/batch/v1.js';
import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.js';
import type { Lease } from 'kubernetes-types/coordination/v1.js';
import type {
  ConfigMap,
  Endpoints,
  Event,
  LimitRange,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodTemplate,
  ReplicationController,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
} from 'kubernetes-types/core/v1.js';
import type { EndpointSlice } from 'kubernetes-types/discovery/v1.js';
import type { Event as SeriesEvent } from 'kubernetes-types/events/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from 'kubernetes-types/rbac/v1.js';
import type { PriorityClass } from 'kubernetes-types/scheduling/v1.js';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
} from 'kubernetes-types/storage/v1.js';
import type { Kind, KubeObject } from './kind.ts';

type Where = readonly [groupVersion: string, kind: string, plural: string];

function inNamespaces<T extends KubeObject>(...where: Where): Kind<T> {
  return builtIn(where, true);
}

function acrossCluster<T extends KubeObject>(...where: Where): Kind<T> {
  return builtIn(where, false);
}

function builtIn<T extends KubeObject>([groupVersion, kind, plural]: Where, namespaced: boolean): Kind<T> {
  const [version = '', group = ''] = groupVersion.split('/').toReversed();
  return { group, version, kind, plural, namespaced };
}

/** The built-in Kubernetes kinds that the controllers, the simulator or the tests read or write. */
export const kinds = {
  configMap: inNamespaces<ConfigMap>('v1', 'ConfigMap', 'configmaps'),
  endpoints: inNamespaces<Endpoints>('v1', 'Endpoints', 'endpoints'),
  event: inNamespaces<Event>('v1', 'Event', 'events'),
  limitRange: inNamespaces<LimitRange>('v1', 'LimitRange', 'limitranges'),
  namespace: acrossCluster<Namespace>('v1', 'Namespace', 'namespaces'),
  node: acrossCluster<Node>('v1', 'Node', 'nodes'),
  persistentVolume: acrossCluster<PersistentVolume>('v1', 'PersistentVolume', 'persistentvolumes'),
  persistentVolumeClaim: inNamespaces<PersistentVolumeClaim>(
    'v1',
    'PersistentVolumeClaim',
    'persistentvolumeclaims',
  ),
  pod: inNamespaces<Pod>('v1', 'Pod', 'pods'),
  podTemplate: inNamespaces<PodTemplate>('v1', 'PodTemplate', 'podtemplates'),
  replicationController: inNamespaces<ReplicationController>(
    'v1',
    'ReplicationController',
    'replicationcontrollers',
  ),
  resourceQuota: inNamespaces<ResourceQuota>('v1', 'ResourceQuota', 'resourcequotas'),
  secret: inNamespaces<Secret>('v1', 'Secret', 'secrets'),
  service: inNamespaces<Service>('v1', 'Service', 'services'),
  serviceAccount: inNamespaces<ServiceAccount>('v1', 'ServiceAccount', 'serviceaccounts'),

  controllerRevision: inNamespaces<ControllerRevision>(
    'apps/v1',
    'ControllerRevision',
    'controllerrevisions',
  ),
  daemonSet: inNamespaces<DaemonSet>('apps/v1', 'DaemonSet', 'daemonsets'),
  deployment: inNamespaces<Deployment>('apps/v1', 'Deployment', 'deployments'),
  replicaSet: inNamespaces<ReplicaSet>('apps/v1', 'ReplicaSet', 'replicasets'),
  statefulSet: inNamespaces<StatefulSet>('apps/v1', 'StatefulSet', 'statefulsets'),

  cronJob: inNamespaces<CronJob>('batch/v1', 'CronJob', 'cronjobs'),
  job: inNamespaces<Job>('batch/v1', 'Job', 'jobs'),

  certificateSigningRequest: acrossCluster<CertificateSigningRequest>(
    'certificates.k8s.io/v1',
    'CertificateSigningRequest',
    'certificatesigningrequests',
  ),
  lease: inNamespaces<Lease>('coordination.k8s.io/v1', 'Lease', 'leases'),
  endpointSlice: inNamespaces<EndpointSlice>('discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices'),
  seriesEvent: inNamespaces<SeriesEvent>('events.k8s.io/v1', 'Event', 'events'),
  podDisruptionBudget: inNamespaces<PodDisruptionBudget>(
    'policy/v1',
    'PodDisruptionBudget',
    'poddisruptionbudgets',
  ),
  priorityClass: acrossCluster<PriorityClass>('scheduling.k8s.io/v1', 'PriorityClass', 'priorityclasses'),

  clusterRole: acrossCluster<ClusterRole>('rbac.authorization.k8s.io/v1', 'ClusterRole', 'clusterroles'),
  clusterRoleBinding: acrossCluster<ClusterRoleBinding>(
    'rbac.authorization.k8s.io/v1',
    'ClusterRoleBinding',
    'clusterrolebindings',
  ),
  role: inNamespaces<Role>('rbac.authorization.k8s.io/v1', 'Role', 'roles'),
  roleBinding: inNamespaces<RoleBinding>('rbac.authorization.k8s.io/v1', 'RoleBinding', 'rolebindings'),

  csiDriver: acrossCluster<CSIDriver>('storage.k8s.io/v1', 'CSIDriver', 'csidrivers'),
  csiNode: acrossCluster<CSINode>('storage.k8s.io/v1', 'CSINode', 'csinodes'),
  csiStorageCapacity: inNamespaces<CSIStorageCapacity>(
    'storage.k8s.io/v1',
    'CSIStorageCapacity',
    'csistoragecapacities',
  ),
  storageClass: acrossCluster<StorageClass>('storage.k8s.io/v1', 'StorageClass', 'storageclasses'),
  volumeAttachment: acrossCluster<VolumeAttachment>(
    'storage.k8s.io/v1',
    'VolumeAttachment',
    'volumeattachments',
  ),

  // Typed as plain objects, because the generated types only have an alpha version of these kinds.
  deviceClass: acrossCluster<KubeObject>('resource.k8s.io/v1', 'DeviceClass', 'deviceclasses'),
  resourceClaim: inNamespaces<KubeObject>('resource.k8s.io/v1', 'ResourceClaim', 'resourceclaims'),
  resourceClaimTemplate: inNamespaces<KubeObject>(
    'resource.k8s.io/v1',
    'ResourceClaimTemplate',
    'resourceclaimtemplates',
  ),
  resourceSlice: acrossCluster<KubeObject>('resource.k8s.io/v1', 'ResourceSlice', 'resourceslices'),

  customResourceDefinition: acrossCluster<CustomResourceDefinition>(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    'customresourcedefinitions',
  ),
  mutatingWebhookConfiguration: acrossCluster<MutatingWebhookConfiguration>(
    'admissionregistration.k8s.io/v1',
    'MutatingWebhookConfiguration',
    'mutatingwebhookconfigurations',
  ),
  validatingWebhookConfiguration: acrossCluster<ValidatingWebhookConfiguration>(
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    'validatingwebhookconfigurations',
  ),
} as const;
