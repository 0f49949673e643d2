import { subdomainProblems } from '@karpenter/core/values';
import { validateDefinition, validateDefinitionUpdate } from '../../custom/definition-validation.ts';
import * as access from '../validation/access.ts';
import * as cluster from '../validation/cluster.ts';
import { event, newEvent } from '../validation/events.ts';
import * as jobs from '../validation/jobs.ts';
import { cronJobNameProblems, labelNameProblems, pathSegmentProblems } from '../validation/names.ts';
import * as services from '../validation/services.ts';
import * as storage from '../validation/storage.ts';
import * as workloads from '../validation/workloads.ts';
import * as selectors from './field-selectors.ts';
import type { ServedKindRules } from './kind-rules.ts';
import { podRules } from './pod-rules.ts';
import * as preparation from './preparation.ts';

const counted: ServedKindRules = { countsGenerations: true };
const conditional: ServedKindRules = { refusesUnconditionalUpdate: true };
const webhook: ServedKindRules = { ...counted, ...conditional, validate: access.webhooks };
const role: ServedKindRules = { allowsCreateOnUpdate: true, nameProblems: pathSegmentProblems };
const binding: ServedKindRules = { ...role, validateUpdate: access.bindingUpdate };

const core: Readonly<Record<string, ServedKindRules>> = {
  '/ConfigMap': { validate: cluster.configMap, validateUpdate: cluster.frozenUpdate },
  '/Endpoints': { allowsCreateOnUpdate: true, validate: services.endpoints },
  '/Event': { allowsCreateOnUpdate: true, fieldSelectors: selectors.eventSelectors, validate: event },
  '/LimitRange': { allowsCreateOnUpdate: true, validate: cluster.limitRange },
  '/Namespace': {
    fieldSelectors: selectors.namespaceSelectors,
    nameProblems: labelNameProblems,
    validate: cluster.namespace,
    prepareCreate: preparation.newNamespace,
    prepareUpdate: preparation.keptFinalizers,
  },
  '/Node': {
    keepsStatusOnCreate: true,
    fieldSelectors: selectors.nodeSelectors,
    validate: cluster.node,
    validateUpdate: cluster.nodeUpdate,
  },
  '/PersistentVolume': {
    validate: storage.volume,
    validateUpdate: storage.volumeUpdate,
    prepareCreate: preparation.protectedBy('kubernetes.io/pv-protection'),
  },
  '/PersistentVolumeClaim': {
    validate: storage.claim,
    validateUpdate: storage.claimUpdate,
    prepareCreate: preparation.protectedBy('kubernetes.io/pvc-protection'),
  },
  '/Pod': podRules,
  '/PodTemplate': { ...counted, validate: workloads.podTemplateObject },
  '/ReplicationController': {
    ...counted,
    fieldSelectors: selectors.replicationControllerSelectors,
    validate: workloads.replicationController,
  },
  '/ResourceQuota': { validate: cluster.quota },
  '/Secret': {
    fieldSelectors: selectors.secretSelectors,
    convert: preparation.encodedStrings,
    validate: cluster.secret,
    validateUpdate: cluster.secretUpdate,
  },
  '/Service': {
    allowsCreateOnUpdate: true,
    fieldSelectors: selectors.serviceSelectors,
    nameProblems: labelNameProblems,
    validate: services.service,
    validateUpdate: services.serviceUpdate,
    prepareUpdate: preparation.keptAddress,
  },
};

const workload: Readonly<Record<string, ServedKindRules>> = {
  'apps/ControllerRevision': { validate: workloads.controllerRevision },
  'apps/DaemonSet': {
    ...counted,
    validate: workloads.daemonSet,
    validateUpdate: workloads.selectorUpdate,
    prepareCreate: preparation.newDaemonSet,
  },
  'apps/Deployment': {
    countsAnnotations: true,
    ...counted,
    validate: workloads.deployment,
    validateUpdate: workloads.selectorUpdate,
    prepareStatus: preparation.deploymentStatus,
  },
  'apps/ReplicaSet': { ...counted, validate: workloads.replicaSet, validateUpdate: workloads.selectorUpdate },
  'apps/StatefulSet': {
    ...counted,
    nameProblems: labelNameProblems,
    convert: preparation.namedClaimKinds,
    validate: workloads.statefulSet,
    validateUpdate: workloads.statefulSetUpdate,
  },
  'autoscaling/HorizontalPodAutoscaler': { validate: cluster.autoscaler },
  'batch/CronJob': { ...counted, nameProblems: cronJobNameProblems, validate: jobs.cronJob },
  'batch/Job': {
    ...counted,
    fieldSelectors: selectors.jobSelectors,
    validate: jobs.job,
    validateUpdate: jobs.jobUpdate,
    prepareCreate: preparation.newJob,
  },
  'policy/PodDisruptionBudget': { ...counted, ...conditional, validate: cluster.budget },
};

const others: Readonly<Record<string, ServedKindRules>> = {
  'admissionregistration.k8s.io/MutatingAdmissionPolicy': { ...counted, ...conditional },
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding': { ...counted, ...conditional },
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': webhook,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': { ...counted, ...conditional },
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': { ...counted, ...conditional },
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': webhook,
  'apiextensions.k8s.io/CustomResourceDefinition': {
    ...counted,
    ...conditional,
    validateInSteps: validateDefinition,
    validateUpdate: validateDefinitionUpdate,
  },
  'apiregistration.k8s.io/APIService': conditional,
  'coordination.k8s.io/Lease': { ...conditional, allowsCreateOnUpdate: true, validate: cluster.lease },
  'discovery.k8s.io/EndpointSlice': { ...counted, validate: services.endpointSlice },
  'events.k8s.io/Event': {
    allowsCreateOnUpdate: true,
    fieldSelectors: selectors.newEventSelectors,
    validate: newEvent,
  },
  'networking.k8s.io/Ingress': { ...counted, validate: services.ingress },
  'networking.k8s.io/IngressClass': { ...counted, validate: access.ingressClass },
  'networking.k8s.io/NetworkPolicy': counted,
  'node.k8s.io/RuntimeClass': {
    ...conditional,
    allowsCreateOnUpdate: true,
    validate: cluster.runtimeClass,
    validateUpdate: cluster.runtimeClassUpdate,
  },
  'rbac.authorization.k8s.io/ClusterRole': { ...role, validate: access.clusterRole },
  'rbac.authorization.k8s.io/ClusterRoleBinding': { ...binding, validate: access.clusterRoleBinding },
  'rbac.authorization.k8s.io/Role': { ...role, validate: access.role },
  'rbac.authorization.k8s.io/RoleBinding': { ...binding, validate: access.roleBinding },
  'resource.k8s.io/DeviceClass': counted,
  'resource.k8s.io/ResourceSlice': { ...counted, fieldSelectors: selectors.resourceSliceSelectors },
  'scheduling.k8s.io/PriorityClass': {
    ...counted,
    validate: cluster.priorityClass,
    validateUpdate: cluster.priorityClassUpdate,
  },
  'storage.k8s.io/CSIDriver': { ...counted, ...conditional },
  'storage.k8s.io/CSINode': { ...conditional, validate: storage.csiNode },
  'storage.k8s.io/CSIStorageCapacity': conditional,
  'storage.k8s.io/StorageClass': {
    validate: storage.storageClass,
    validateUpdate: storage.storageClassUpdate,
  },
  'storage.k8s.io/VolumeAttachment': {
    ...conditional,
    validate: storage.volumeAttachment,
    validateUpdate: storage.volumeAttachmentUpdate,
  },
};

const all = { ...core, ...workload, ...others };

/** The special rules of a kind, if it has any. */
export function rulesOf(group: string, kind: string): ServedKindRules {
  return { nameProblems: subdomainProblems, ...all[`${group}/${kind}`] };
}
