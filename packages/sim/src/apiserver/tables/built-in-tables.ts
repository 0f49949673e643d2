import type { TableView } from '../kinds/served-kind.ts';
import { autoscalerTable } from './autoscaler-table.ts';
import * as cluster from './cluster-tables.ts';
import * as network from './network-tables.ts';
import { nodeTable } from './node-table.ts';
import { podTable } from './pod-table.ts';
import * as storage from './storage-tables.ts';
import * as workload from './workload-tables.ts';

const tables: Readonly<Record<string, TableView>> = {
  '/ConfigMap': cluster.configMapTable,
  '/Endpoints': network.endpointsTable,
  '/Event': cluster.eventTable,
  '/LimitRange': cluster.createdTable,
  '/Namespace': cluster.namespaceTable,
  '/Node': nodeTable,
  '/PersistentVolume': storage.volumeTable,
  '/PersistentVolumeClaim': storage.claimTable,
  '/Pod': podTable,
  '/PodTemplate': workload.podTemplateTable,
  '/ReplicationController': workload.replicationControllerTable,
  '/ResourceQuota': cluster.quotaTable,
  '/Secret': cluster.secretTable,
  '/Service': network.serviceTable,
  'admissionregistration.k8s.io/MutatingAdmissionPolicy': cluster.mutatingPolicyTable,
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding': cluster.policyBindingTable,
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': cluster.webhooksTable,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': cluster.validatingPolicyTable,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': cluster.policyBindingTable,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': cluster.webhooksTable,
  'apiextensions.k8s.io/CustomResourceDefinition': cluster.createdTable,
  'apiregistration.k8s.io/APIService': cluster.apiServiceTable,
  'apps/ControllerRevision': workload.controllerRevisionTable,
  'apps/DaemonSet': workload.daemonSetTable,
  'apps/Deployment': workload.deploymentTable,
  'apps/ReplicaSet': workload.replicaSetTable,
  'apps/StatefulSet': workload.statefulSetTable,
  'autoscaling/HorizontalPodAutoscaler': autoscalerTable,
  'batch/CronJob': workload.cronJobTable,
  'batch/Job': workload.jobTable,
  'coordination.k8s.io/Lease': cluster.leaseTable,
  'discovery.k8s.io/EndpointSlice': network.endpointSliceTable,
  'events.k8s.io/Event': cluster.eventTable,
  'networking.k8s.io/Ingress': network.ingressTable,
  'networking.k8s.io/IngressClass': network.ingressClassTable,
  'networking.k8s.io/NetworkPolicy': network.networkPolicyTable,
  'node.k8s.io/RuntimeClass': cluster.runtimeClassTable,
  'policy/PodDisruptionBudget': cluster.budgetTable,
  'rbac.authorization.k8s.io/ClusterRole': cluster.createdTable,
  'rbac.authorization.k8s.io/ClusterRoleBinding': cluster.roleBindingTable,
  'rbac.authorization.k8s.io/Role': cluster.createdTable,
  'rbac.authorization.k8s.io/RoleBinding': cluster.roleBindingTable,
  'resource.k8s.io/ResourceClaim': cluster.resourceClaimTable,
  'resource.k8s.io/ResourceSlice': cluster.resourceSliceTable,
  'scheduling.k8s.io/PriorityClass': cluster.priorityClassTable,
  'storage.k8s.io/CSIDriver': storage.csiDriverTable,
  'storage.k8s.io/CSINode': storage.csiNodeTable,
  'storage.k8s.io/CSIStorageCapacity': storage.csiStorageCapacityTable,
  'storage.k8s.io/StorageClass': storage.storageClassTable,
  'storage.k8s.io/VolumeAttachment': storage.volumeAttachmentTable,
  'storage.k8s.io/VolumeAttributesClass': storage.volumeAttributesClassTable,
};

/** The columns of `kubectl get` for a built-in kind. */
export function builtInTable(group: string, kind: string): TableView {
  return tables[`${group}/${kind}`] ?? cluster.plainTable;
}
