import type { JsonObject } from '@karpenter/core/schema';
import { anEvent, container, job, labels, pod, resource, template, workload } from './kind-case.ts';

/** An object to show as a table, with a reported status. */
export interface Shown {
  readonly title: string;
  readonly object: JsonObject;
  readonly status?: JsonObject;
}

// No scheduler handles these pods, so their status stays as reported.
const quiet = (spec: JsonObject = {}) => pod({ schedulerName: 'nobody', nodeName: 'nowhere', ...spec });
const running = { state: { running: { startedAt: '2026-01-01T00:00:00Z' } }, ready: true, restartCount: 0 };
const status = (fields: JsonObject): JsonObject => ({
  name: 'main',
  image: 'i',
  imageID: '',
  lastState: {},
  ...running,
  ...fields,
});
const ended = (fields: JsonObject) => ({
  terminated: { exitCode: 0, finishedAt: '2026-01-01T00:00:00Z', ...fields },
});
const two = [container, { ...container, name: 'other' }];
const init = {
  initContainers: [
    { name: 'a', image: 'i' },
    { name: 'b', image: 'i' },
  ],
};
const sidecar = { initContainers: [{ name: 'side', image: 'i', restartPolicy: 'Always' }] };

const pods: Readonly<Record<string, readonly [JsonObject, JsonObject]>> = {
  'a running pod': [
    quiet(),
    { phase: 'Running', podIPs: [{ ip: '10.0.0.1' }], podIP: '10.0.0.1', containerStatuses: [status({})] },
  ],
  'a pod that crashes': [
    quiet(),
    {
      phase: 'Running',
      containerStatuses: [
        status({
          ready: false,
          restartCount: 3,
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: ended({ exitCode: 1 }),
        }),
      ],
    },
  ],
  'a pod that pulls no image': [
    quiet(),
    {
      phase: 'Pending',
      containerStatuses: [status({ ready: false, state: { waiting: { reason: 'ErrImagePull' } } })],
    },
  ],
  'a pod that is done': [
    quiet(),
    {
      phase: 'Succeeded',
      containerStatuses: [status({ ready: false, state: ended({ reason: 'Completed' }) })],
    },
  ],
  'a pod that failed': [
    quiet(),
    { phase: 'Failed', containerStatuses: [status({ ready: false, state: ended({ exitCode: 3 }) })] },
  ],
  'a pod ended by a signal': [
    quiet(),
    {
      phase: 'Failed',
      containerStatuses: [status({ ready: false, state: ended({ exitCode: 137, signal: 9 }) })],
    },
  ],
  'a pod that was evicted': [quiet(), { phase: 'Failed', reason: 'Evicted' }],
  'a pod half done': [
    quiet({ containers: two }),
    {
      phase: 'Running',
      containerStatuses: [
        status({}),
        status({ name: 'other', ready: false, state: ended({ reason: 'Completed' }) }),
      ],
    },
  ],
  'a pod half done and ready': [
    quiet({ containers: two }),
    {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [
        status({ ready: false, state: ended({ reason: 'Completed' }) }),
        status({ name: 'other' }),
      ],
    },
  ],
  'a pod half failed': [
    quiet({ containers: two }),
    {
      phase: 'Running',
      containerStatuses: [
        status({ ready: false, state: ended({ reason: 'Completed' }) }),
        status({ name: 'other', ready: false, state: ended({ exitCode: 2 }) }),
      ],
    },
  ],
  'a pod that waits for init containers': [
    quiet(init),
    {
      phase: 'Pending',
      initContainerStatuses: [
        status({ name: 'a', ready: true, state: ended({}) }),
        status({ name: 'b', ready: false, state: { waiting: { reason: 'PodInitializing' } } }),
      ],
    },
  ],
  'a pod whose init container fails': [
    quiet(init),
    {
      phase: 'Pending',
      initContainerStatuses: [
        status({ name: 'a', ready: false, restartCount: 2, state: ended({ exitCode: 1, reason: 'Error' }) }),
      ],
    },
  ],
  'a pod whose init container crashes': [
    quiet(init),
    {
      phase: 'Pending',
      initContainerStatuses: [
        status({ name: 'a', ready: false, state: { waiting: { reason: 'CrashLoopBackOff' } } }),
      ],
    },
  ],
  'a pod whose init container got a signal': [
    quiet(init),
    {
      phase: 'Pending',
      initContainerStatuses: [status({ name: 'a', ready: false, state: ended({ exitCode: 1, signal: 9 }) })],
    },
  ],
  'a pod with a sidecar': [
    quiet(sidecar),
    {
      phase: 'Running',
      initContainerStatuses: [status({ name: 'side', started: true, restartCount: 1 })],
      containerStatuses: [status({ restartCount: 2 })],
    },
  ],
  'a pod with a sidecar that starts': [
    quiet(sidecar),
    { phase: 'Pending', initContainerStatuses: [status({ name: 'side', started: false, ready: false })] },
  ],
  'a pod with readiness gates': [
    quiet({ readinessGates: [{ conditionType: 'a.b/c' }, { conditionType: 'd' }] }),
    { phase: 'Running', conditions: [{ type: 'a.b/c', status: 'True' }] },
  ],
  'a gated pod': [pod({ schedulingGates: [{ name: 'g' }] }), {}],
  'a pod that is nominated': [pod({ schedulerName: 'nobody' }), { nominatedNodeName: 'n' }],
};

const node = (metadata: JsonObject, spec: JsonObject = {}) => resource('v1', 'Node', { spec }, metadata);
const condition = (type: string, value: string) => ({ type, status: value, reason: 'r', message: 'm' });
const suspended = { suspend: true };

const others: Readonly<Record<string, readonly [JsonObject, JsonObject?]>> = {
  'a new node': [node({ name: 'new' })],
  'a ready node': [
    node({
      name: 'ready',
      labels: {
        'node-role.kubernetes.io/worker': '',
        'node-role.kubernetes.io/gpu': '',
        'kubernetes.io/role': 'x',
      },
    }),
    {
      conditions: [condition('Ready', 'True')],
      addresses: [
        { type: 'InternalIP', address: '10.0.0.1' },
        { type: 'ExternalIP', address: '1.2.3.4' },
      ],
      nodeInfo: {
        machineID: '',
        systemUUID: '',
        bootID: '',
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        kubeletVersion: 'v1.36.0',
        osImage: 'AL',
        kernelVersion: '6.1',
        architecture: 'arm64',
        containerRuntimeVersion: 'containerd://2',
      },
    },
  ],
  'a cordoned node that is not ready': [
    node({ name: 'cordoned' }, { unschedulable: true }),
    { conditions: [condition('Ready', 'Unknown')] },
  ],
  'a paused deployment': [
    workload('Deployment', { paused: true, replicas: 3 }),
    { replicas: 3, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 1 },
  ],
  'a deployment with two containers': [
    workload('Deployment', {
      paused: true,
      replicas: 0,
      selector: {
        matchLabels: labels,
        matchExpressions: [
          { key: 'app', operator: 'In', values: ['sample', 'b'] },
          { key: 'zone', operator: 'DoesNotExist' },
        ],
      },
      template: template({ containers: two }),
    }),
  ],
  'a replica set': [workload('ReplicaSet', { replicas: 0 })],
  'a stateful set': [workload('StatefulSet', { replicas: 0, serviceName: 's' })],
  'a daemon set': [workload('DaemonSet', { template: template({ nodeSelector: { a: 'b' } }) })],
  'a suspended job': [job(suspended)],
  'a job of many': [job({ ...suspended, completions: 3 })],
  'a job without completions': [job({ ...suspended, parallelism: 4 })],
  'a cron job': [
    resource('batch/v1', 'CronJob', {
      spec: {
        schedule: '0 0 1 1 *',
        suspend: true,
        timeZone: 'Etc/UTC',
        jobTemplate: { spec: { template: template({ restartPolicy: 'Never' }) } },
      },
    }),
  ],
  'a service': [
    resource('v1', 'Service', {
      spec: {
        selector: labels,
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 53, protocol: 'UDP' },
        ],
      },
    }),
  ],
  'a headless service': [resource('v1', 'Service', { spec: { clusterIP: 'None' } })],
  'a service of nodes': [
    resource('v1', 'Service', {
      spec: { type: 'NodePort', ports: [{ port: 80 }], externalIPs: ['1.2.3.4'] },
    }),
  ],
  'a load balancer': [
    resource('v1', 'Service', { spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } }),
    { loadBalancer: { ingress: [{ hostname: 'a-long-name.elb.amazonaws.com' }] } },
  ],
  'a pending load balancer': [
    resource('v1', 'Service', { spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } }),
  ],
  'an external name': [
    resource('v1', 'Service', { spec: { type: 'ExternalName', externalName: 'a.example.com' } }),
  ],
  'an event': [anEvent],
  'a lease': [resource('coordination.k8s.io/v1', 'Lease', { spec: { holderIdentity: 'me' } })],
  'a claim': [
    resource('v1', 'PersistentVolumeClaim', {
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'gp3',
        resources: { requests: { storage: '1Gi' } },
      },
    }),
  ],
  'a volume': [
    resource('v1', 'PersistentVolume', {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        storageClassName: 'gp3',
        csi: { driver: 'd', volumeHandle: 'v' },
      },
    }),
  ],
  'a class': [
    resource(
      'storage.k8s.io/v1',
      'StorageClass',
      { provisioner: 'p', volumeBindingMode: 'WaitForFirstConsumer', allowVolumeExpansion: true },
      { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    ),
  ],
  'a csi node': [
    resource('storage.k8s.io/v1', 'CSINode', { spec: { drivers: [{ name: 'd', nodeID: 'n' }] } }),
  ],
  'a csi driver': [
    resource('storage.k8s.io/v1', 'CSIDriver', {
      spec: { tokenRequests: [{ audience: 'a' }, { audience: 'b' }] },
    }),
  ],
  'a volume attachment': [
    resource('storage.k8s.io/v1', 'VolumeAttachment', {
      spec: { attacher: 'd', nodeName: 'n', source: { persistentVolumeName: 'p' } },
    }),
  ],
  'a budget': [
    resource('policy/v1', 'PodDisruptionBudget', {
      spec: { maxUnavailable: '25%', selector: { matchLabels: labels } },
    }),
  ],
  'a priority class': [resource('scheduling.k8s.io/v1', 'PriorityClass', { value: 5 })],
  'a config map': [resource('v1', 'ConfigMap', { data: { a: 'b' }, binaryData: { c: 'AAA=' } })],
  'a secret': [resource('v1', 'Secret', { stringData: { a: 'b' } })],
  'a binding': [
    resource('rbac.authorization.k8s.io/v1', 'RoleBinding', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', name: 's', namespace: 'n' },
      ],
    }),
  ],
  'an ingress': [
    resource('networking.k8s.io/v1', 'Ingress', {
      spec: {
        ingressClassName: 'x',
        tls: [{}],
        rules: ['a', 'b', 'c', 'd'].map((host) => ({ host: `${host}.example.com` })),
      },
    }),
  ],
  'a network policy': [
    resource('networking.k8s.io/v1', 'NetworkPolicy', {
      spec: { podSelector: { matchLabels: { b: 'c', a: 'b' } } },
    }),
  ],
  'a quota': [
    resource('v1', 'ResourceQuota', { spec: { hard: { pods: '10', 'limits.cpu': '4' } } }),
    { hard: { pods: '10', 'limits.cpu': '4' }, used: { pods: '1', 'limits.cpu': '0' } },
  ],
  'an autoscaler': [
    resource('autoscaling/v2', 'HorizontalPodAutoscaler', {
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 3 },
    }),
  ],
  'an endpoint slice': [
    resource('discovery.k8s.io/v1', 'EndpointSlice', {
      addressType: 'IPv4',
      endpoints: [1, 2, 3, 4].map((last) => ({ addresses: [`10.0.0.${last}`] })),
      ports: [{ port: 80 }],
    }),
  ],
  'a controller revision': [resource('apps/v1', 'ControllerRevision', { revision: 2, data: {} })],
  'a webhook': [
    resource('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', { webhooks: [] }),
  ],
  'a pod template': [resource('v1', 'PodTemplate', { template: template() })],
};

const shown = ([title, [object, reported]]: readonly [string, readonly [JsonObject, JsonObject?]]): Shown =>
  reported === undefined ? { title, object } : { title, object, status: reported };

export const shownObjects: readonly Shown[] = [
  ...Object.entries(pods).map(shown),
  ...Object.entries(others).map(shown),
];
