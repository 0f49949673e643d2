import type { JsonObject } from '@karpenter/core/schema';

const everything: JsonObject = {};
const webhook: JsonObject = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: everything,
  objectSelector: everything,
  timeoutSeconds: 10,
};
const worldReadable = 0o644;

/** Defaults by definition that depend on nothing else. */
export const constantDefaults: Readonly<Record<string, JsonObject>> = {
  'admissionregistration.v1.MatchResources': {
    matchPolicy: 'Equivalent',
    namespaceSelector: everything,
    objectSelector: everything,
  },
  'admissionregistration.v1.MutatingAdmissionPolicySpec': { failurePolicy: 'Fail' },
  'admissionregistration.v1.MutatingWebhook': { ...webhook, reinvocationPolicy: 'Never' },
  'admissionregistration.v1.NamedRuleWithOperations': { scope: '*' },
  'admissionregistration.v1.RuleWithOperations': { scope: '*' },
  'admissionregistration.v1.ServiceReference': { port: 443 },
  'admissionregistration.v1.ValidatingAdmissionPolicySpec': { failurePolicy: 'Fail' },
  'admissionregistration.v1.ValidatingWebhook': webhook,
  'apiextensions.v1.CustomResourceDefinitionSpec': { conversion: { strategy: 'None' } },
  'apiextensions.v1.ServiceReference': { port: 443 },
  'apiregistration.v1.ServiceReference': { port: 443 },
  'apps.v1.DaemonSetSpec': { revisionHistoryLimit: 10 },
  'apps.v1.DeploymentSpec': { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 },
  'apps.v1.ReplicaSetSpec': { replicas: 1 },
  'apps.v1.StatefulSetSpec': { replicas: 1, revisionHistoryLimit: 10, podManagementPolicy: 'OrderedReady' },
  'autoscaling.v1.HorizontalPodAutoscalerSpec': { minReplicas: 1 },
  'autoscaling.v2.HorizontalPodAutoscalerSpec': {
    minReplicas: 1,
    metrics: [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
      },
    ],
  },
  'batch.v1.CronJobSpec': {
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  },
  'batch.v1.PodFailurePolicyOnPodConditionsPattern': { status: 'True' },
  'core.v1.Container': { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' },
  'core.v1.EphemeralContainer': {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  },
  'core.v1.ConfigMapVolumeSource': { defaultMode: worldReadable },
  'core.v1.DownwardAPIVolumeSource': { defaultMode: worldReadable },
  'core.v1.EndpointPort': { protocol: 'TCP' },
  'core.v1.HTTPGetAction': { path: '/', scheme: 'HTTP' },
  'core.v1.ObjectFieldSelector': { apiVersion: 'v1' },
  'core.v1.PersistentVolumeClaimSpec': { volumeMode: 'Filesystem' },
  'core.v1.PersistentVolumeClaimStatus': { phase: 'Pending' },
  'core.v1.PersistentVolumeSpec': { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' },
  'core.v1.PersistentVolumeStatus': { phase: 'Pending' },
  'core.v1.NamespaceStatus': { phase: 'Active' },
  'core.v1.PodSpec': {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
  },
  'core.v1.ProjectedVolumeSource': { defaultMode: worldReadable },
  'core.v1.Secret': { type: 'Opaque' },
  'core.v1.SecretVolumeSource': { defaultMode: worldReadable },
  'core.v1.ServiceAccountTokenProjection': { expirationSeconds: 3600 },
  'discovery.v1.EndpointPort': { protocol: 'TCP' },
  'networking.v1.IngressClassParametersReference': { scope: 'Cluster' },
  'networking.v1.NetworkPolicyPort': { protocol: 'TCP' },
  'rbac.v1.RoleRef': { apiGroup: 'rbac.authorization.k8s.io' },
  'scheduling.v1.PriorityClass': { preemptionPolicy: 'PreemptLowerPriority' },
  'storage.v1.CSIDriverSpec': {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    requiresRepublish: false,
    seLinuxMount: false,
  },
  'storage.v1.StorageClass': { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
};

/** Defaults of non-pointer numbers, which are 0 when absent. */
export const zeroDefaults: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'core.v1.Probe': { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
};
