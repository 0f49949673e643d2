import { anEvent, cases, type KindCase, labels, resource, updates } from './kind-case.ts';

const node = (fields: object = {}, metadata: object = {}) =>
  resource('v1', 'Node', { ...fields }, { ...metadata });
const service = (spec: object) => resource('v1', 'Service', { spec: { ports: [{ port: 80 }], ...spec } });
const claim = (spec: object) =>
  resource('v1', 'PersistentVolumeClaim', {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
  });
const volume = (spec: object) =>
  resource('v1', 'PersistentVolume', {
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      csi: { driver: 'd', volumeHandle: 'v' },
      ...spec,
    },
  });
const budget = (spec: object) =>
  resource('policy/v1', 'PodDisruptionBudget', { spec: { selector: { matchLabels: labels }, ...spec } });
const storageClass = (fields: object) =>
  resource('storage.k8s.io/v1', 'StorageClass', { provisioner: 'ebs.csi.aws.com', ...fields });
const lease = (spec: object) => resource('coordination.k8s.io/v1', 'Lease', { spec: { ...spec } });
const priority = (fields: object, name = 'sample') =>
  resource('scheduling.k8s.io/v1', 'PriorityClass', { value: 10, ...fields }, { name });
const rbac = (kind: string, fields: object) => resource('rbac.authorization.k8s.io/v1', kind, { ...fields });
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' };
const webhook = (fields: object, kind = 'ValidatingWebhookConfiguration') =>
  resource('admissionregistration.k8s.io/v1', kind, {
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { url: 'https://example.com/x' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...fields,
      },
    ],
  });

const nodes = cases('node', {
  'with the least': node(),
  'with a status': node({
    status: {
      capacity: { cpu: '4', memory: '8Gi', pods: '110' },
      conditions: [{ type: 'Ready', status: 'True' }],
      addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
      nodeInfo: { kubeletVersion: 'v1.36.0' },
    },
  }),
  'with a provider': node({
    spec: { providerID: 'aws:///us-east-1a/i-1', taints: [{ key: 'a', value: 'b', effect: 'NoSchedule' }] },
  }),
  'with a taint without an effect': node({ spec: { taints: [{ key: 'a' }] } }),
  'with a taint of an unknown effect': node({ spec: { taints: [{ key: 'a', effect: 'Never' }] } }),
  'with a taint without a key': node({ spec: { taints: [{ key: '', effect: 'NoSchedule' }] } }),
  'with a bad taint': node({ spec: { taints: [{ key: 'a b', value: 'c d', effect: 'NoSchedule' }] } }),
  'with a taint twice': node({
    spec: {
      taints: [
        { key: 'a', value: '1', effect: 'NoSchedule' },
        { key: 'a', value: '2', effect: 'NoSchedule' },
      ],
    },
  }),
  'with a bad name': node({}, { name: 'A' }),
  'with a negative capacity': node({ status: { capacity: { cpu: '-1' } } }),
});

const nodeUpdates = updates('node', node({ spec: { providerID: 'aws:///a/i-1' } }), {
  'another provider': node({ spec: { providerID: 'aws:///a/i-2' } }),
  'a taint': node({ spec: { providerID: 'aws:///a/i-1', taints: [{ key: 'a', effect: 'NoSchedule' }] } }),
  'a cordon': node({ spec: { providerID: 'aws:///a/i-1', unschedulable: true } }),
});

const services = cases('service', {
  'with the least': service({}),
  headless: service({ clusterIP: 'None' }),
  'of nodes': service({ type: 'NodePort' }),
  'with a load balancer': service({ type: 'LoadBalancer' }),
  'with an external name': service({ type: 'ExternalName', externalName: 'a.example.com', ports: [] }),
  'with affinity': service({ sessionAffinity: 'ClientIP' }),
  'with two ports': service({
    ports: [
      { name: 'a', port: 80, targetPort: 'web' },
      { name: 'b', port: 81, protocol: 'UDP' },
    ],
  }),
  'without ports': service({ ports: [] }),
  'of an unknown type': service({ type: 'Magic' }),
  'with a port out of range': service({ ports: [{ port: 0 }] }),
  'with two ports without names': service({ ports: [{ port: 80 }, { port: 81 }] }),
  'with two ports of one name': service({
    ports: [
      { name: 'a', port: 80 },
      { name: 'a', port: 81 },
    ],
  }),
  'with an unknown protocol': service({ ports: [{ port: 80, protocol: 'X' }] }),
  'with an unknown affinity': service({ sessionAffinity: 'Sometimes' }),
  'with a bad selector': service({ selector: { 'a b': 'c' } }),
  'with an external name missing': service({ type: 'ExternalName', ports: [] }),
  'with a bad name': resource('v1', 'Service', { spec: { ports: [{ port: 80 }] } }, { name: '1.a' }),
});

const volumes = cases('storage', {
  'a claim': claim({}),
  'a claim of a class': claim({ storageClassName: 'gp3', volumeMode: 'Block' }),
  'a claim without access modes': claim({ accessModes: [] }),
  'a claim with an unknown access mode': claim({ accessModes: ['Sometimes'] }),
  'a claim without a size': claim({ resources: {} }),
  'a claim of size 0': claim({ resources: { requests: { storage: '0' } } }),
  'a claim with an unknown volume mode': claim({ volumeMode: 'Magic' }),
  'a volume': volume({}),
  'a volume with affinity': volume({
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a'] }] },
        ],
      },
    },
  }),
  'a volume without a source': volume({ csi: null }),
  'a volume of two sources': volume({ hostPath: { path: '/x' } }),
  'a volume without a capacity': volume({ capacity: {} }),
  'a volume without access modes': volume({ accessModes: [] }),
  'a volume with an unknown reclaim policy': volume({ persistentVolumeReclaimPolicy: 'Burn' }),
  'a class': storageClass({}),
  'a class that waits': storageClass({
    volumeBindingMode: 'WaitForFirstConsumer',
    reclaimPolicy: 'Retain',
    allowVolumeExpansion: true,
    parameters: { type: 'gp3' },
  }),
  'a class without a provisioner': storageClass({ provisioner: '' }),
  'a class with an unknown reclaim policy': storageClass({ reclaimPolicy: 'Burn' }),
  'a class with an unknown binding mode': storageClass({ volumeBindingMode: 'Never' }),
  'a csi node': resource('storage.k8s.io/v1', 'CSINode', {
    spec: { drivers: [{ name: 'd', nodeID: 'n', topologyKeys: ['a'], allocatable: { count: 25 } }] },
  }),
  'a csi node with a driver twice': resource('storage.k8s.io/v1', 'CSINode', {
    spec: {
      drivers: [
        { name: 'd', nodeID: 'n' },
        { name: 'd', nodeID: 'm' },
      ],
    },
  }),
  'a csi node with a driver without a node': resource('storage.k8s.io/v1', 'CSINode', {
    spec: { drivers: [{ name: 'd', nodeID: '' }] },
  }),
  'a csi driver': resource('storage.k8s.io/v1', 'CSIDriver', { spec: {} }),
  'a volume attachment': resource('storage.k8s.io/v1', 'VolumeAttachment', {
    spec: { attacher: 'd', nodeName: 'n', source: { persistentVolumeName: 'p' } },
  }),
  'a volume attachment without anything': resource('storage.k8s.io/v1', 'VolumeAttachment', {
    spec: { attacher: '', nodeName: '', source: {} },
  }),
});

const storageUpdates = [
  ...updates('class', storageClass({}), {
    'other parameters': storageClass({ parameters: { a: 'b' } }),
    'another provisioner': storageClass({ provisioner: 'x' }),
    'another reclaim policy': storageClass({ reclaimPolicy: 'Retain' }),
    'expansion allowed': storageClass({ allowVolumeExpansion: true }),
  }),
  ...updates('claim', claim({ storageClassName: 'a' }), {
    'another class': claim({ storageClassName: 'b' }),
    'another mode': claim({ storageClassName: 'a', accessModes: ['ReadOnlyMany'] }),
  }),
  ...updates('volume', volume({}), {
    'another source': volume({ csi: { driver: 'd', volumeHandle: 'w' } }),
    'another policy': volume({ persistentVolumeReclaimPolicy: 'Delete' }),
  }),
];

const budgets = [
  ...cases('budget', {
    'of a minimum': budget({ minAvailable: 1 }),
    'of a share': budget({ maxUnavailable: '25%' }),
    'of neither': budget({}),
    'of both': budget({ minAvailable: 1, maxUnavailable: 1 }),
    'of a negative minimum': budget({ minAvailable: -1 }),
    'of more than 100 %': budget({ maxUnavailable: '150%' }),
    'of no number': budget({ minAvailable: 'many' }),
    'of an unknown eviction policy': budget({ minAvailable: 1, unhealthyPodEvictionPolicy: 'Maybe' }),
    'of no selector': budget({ minAvailable: 1, selector: null }),
    'of a bad selector': budget({ minAvailable: 1, selector: { matchLabels: { 'a b': 'c' } } }),
  }),
  ...updates('budget', budget({ minAvailable: 1 }), { 'another amount': budget({ maxUnavailable: 1 }) }),
];

const small = cases('kind', {
  'a lease': lease({
    holderIdentity: 'me',
    leaseDurationSeconds: 15,
    renewTime: '2026-01-01T00:00:00.000000Z',
  }),
  'an empty lease': lease({}),
  'a lease of no duration': lease({ leaseDurationSeconds: 0 }),
  'a lease of negative transitions': lease({ leaseTransitions: -1 }),
  'a lease of an empty holder': lease({ holderIdentity: '' }),
  'a priority class': priority({ description: 'x', globalDefault: true }),
  'a priority class above the limit': priority({ value: 2_000_000_000 }),
  'a priority class with a system name': priority({}, 'system-mine'),
  'a priority class with an unknown policy': priority({ preemptionPolicy: 'Maybe' }),
  'a config map': resource('v1', 'ConfigMap', { data: { a: 'b' }, binaryData: { c: 'AAA=' } }),
  'a config map with a bad key': resource('v1', 'ConfigMap', { data: { 'a b': 'c' } }),
  'a config map with a key twice': resource('v1', 'ConfigMap', {
    data: { a: 'b' },
    binaryData: { a: 'AAA=' },
  }),
  'a secret': resource('v1', 'Secret', { stringData: { a: 'b' } }),
  'a secret with a bad key': resource('v1', 'Secret', { stringData: { 'a b': 'c' } }),
  'a tls secret without its keys': resource('v1', 'Secret', { type: 'kubernetes.io/tls', data: {} }),
  'a docker secret without its key': resource('v1', 'Secret', {
    type: 'kubernetes.io/dockerconfigjson',
    data: {},
  }),
  'a service account': resource('v1', 'ServiceAccount', { imagePullSecrets: [{ name: 'a' }] }),
  'a namespace': resource('v1', 'Namespace', {}),
  'a namespace with a bad name': resource('v1', 'Namespace', {}, { name: 'a.b' }),
  'a namespace with a bad finalizer': resource('v1', 'Namespace', { spec: { finalizers: ['x'] } }),
  'a quota': resource('v1', 'ResourceQuota', { spec: { hard: { pods: '10', 'requests.cpu': '4' } } }),
  'a quota of a fraction of a pod': resource('v1', 'ResourceQuota', { spec: { hard: { pods: '0.5' } } }),
  'a quota of nothing known': resource('v1', 'ResourceQuota', { spec: { hard: { magic: '1' } } }),
  'a limit range': resource('v1', 'LimitRange', {
    spec: { limits: [{ type: 'Container', default: { cpu: '1' }, max: { cpu: '2' } }] },
  }),
  'a limit range of a default above the maximum': resource('v1', 'LimitRange', {
    spec: { limits: [{ type: 'Container', default: { cpu: '3' }, max: { cpu: '2' } }] },
  }),
  endpoints: resource('v1', 'Endpoints', {
    subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }],
  }),
  'endpoints without addresses': resource('v1', 'Endpoints', { subsets: [{ ports: [{ port: 80 }] }] }),
  'endpoints of a bad address': resource('v1', 'Endpoints', {
    subsets: [{ addresses: [{ ip: 'x' }], ports: [{ port: 0 }] }],
  }),
  'an endpoint slice': resource('discovery.k8s.io/v1', 'EndpointSlice', {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'] }],
    ports: [{ port: 80 }],
  }),
  'an endpoint slice of an unknown type': resource('discovery.k8s.io/v1', 'EndpointSlice', {
    addressType: 'X',
    endpoints: [],
  }),
  'a runtime class': resource('node.k8s.io/v1', 'RuntimeClass', { handler: 'runc' }),
  'a runtime class without a handler': resource('node.k8s.io/v1', 'RuntimeClass', { handler: '' }),
  'an ingress': resource('networking.k8s.io/v1', 'Ingress', {
    spec: {
      rules: [
        {
          host: 'a.example.com',
          http: {
            paths: [
              { path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } },
            ],
          },
        },
      ],
    },
  }),
  'an empty ingress': resource('networking.k8s.io/v1', 'Ingress', { spec: {} }),
  'a network policy': resource('networking.k8s.io/v1', 'NetworkPolicy', {
    spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] },
  }),
  'a network policy with egress': resource('networking.k8s.io/v1', 'NetworkPolicy', {
    spec: { podSelector: {}, egress: [{}] },
  }),
  'an ingress class': resource('networking.k8s.io/v1', 'IngressClass', {
    spec: { controller: 'example.com/x' },
  }),
  'an autoscaler': resource('autoscaling/v2', 'HorizontalPodAutoscaler', {
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 3 },
  }),
  'an autoscaler with behaviour': resource('autoscaling/v2', 'HorizontalPodAutoscaler', {
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      maxReplicas: 3,
      behavior: { scaleDown: { stabilizationWindowSeconds: 60 } },
    },
  }),
  'an autoscaler below its minimum': resource('autoscaling/v2', 'HorizontalPodAutoscaler', {
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, minReplicas: 5, maxReplicas: 3 },
  }),
  'an autoscaler of nothing': resource('autoscaling/v2', 'HorizontalPodAutoscaler', {
    spec: { scaleTargetRef: { kind: '', name: '' }, maxReplicas: 0 },
  }),
  'a resource claim': resource('resource.k8s.io/v1', 'ResourceClaim', {
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } },
  }),
  'a device class': resource('resource.k8s.io/v1', 'DeviceClass', { spec: {} }),
});

const access = cases('access', {
  'a role': rbac('Role', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }),
  'a cluster role without rules': rbac('ClusterRole', {}),
  'a role without verbs': rbac('Role', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: [] }] }),
  'a role without resources': rbac('Role', { rules: [{ apiGroups: [''], verbs: ['get'] }] }),
  'a role with urls': rbac('Role', { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] }),
  'a binding': rbac('RoleBinding', {
    roleRef,
    subjects: [
      { kind: 'User', name: 'u' },
      { kind: 'ServiceAccount', name: 's', namespace: 'n' },
    ],
  }),
  'a binding to nothing': rbac('RoleBinding', { roleRef: { ...roleRef, name: '' } }),
  'a binding to an unknown kind': rbac('RoleBinding', { roleRef: { ...roleRef, kind: 'Magic' } }),
  'a binding of an unknown subject': rbac('RoleBinding', {
    roleRef,
    subjects: [{ kind: 'Robot', name: 'r' }],
  }),
  'a binding of a service account without a namespace': rbac('ClusterRoleBinding', {
    roleRef: { ...roleRef, kind: 'ClusterRole' },
    subjects: [{ kind: 'ServiceAccount', name: 's' }],
  }),
  'a webhook': webhook({
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
  }),
  'a mutating webhook': webhook({}, 'MutatingWebhookConfiguration'),
  'a webhook with a service': webhook({ clientConfig: { service: { name: 's', namespace: 'n' } } }),
  'a webhook without side effects': webhook({ sideEffects: 'Some' }),
  'a webhook with a short name': webhook({ name: 'a' }),
  'a webhook of an unknown policy': webhook({
    failurePolicy: 'Maybe',
    matchPolicy: 'Maybe',
    timeoutSeconds: 60,
  }),
  'a webhook without review versions': webhook({ admissionReviewVersions: [] }),
});

const event = (fields: object) => ({ ...anEvent, ...fields });

const events = cases('event', {
  'with the least': event({}),
  'without a time': event({ eventTime: null }),
  'of an unknown type': event({ type: 'Odd' }),
  'of a bad controller': event({ reportingController: 'a b' }),
  'of a series of one': event({ series: { count: 1, lastObservedTime: null } }),
  'with an old count': event({ deprecatedCount: 1 }),
  'of an object elsewhere': event({ regarding: { kind: 'Pod', name: 'p', namespace: 'kube-system' } }),
});

const accessUpdates = [
  ...updates('binding', rbac('RoleBinding', { roleRef }), {
    'another role': rbac('RoleBinding', { roleRef: { ...roleRef, name: 'x' } }),
  }),
  ...updates('priority class', priority({}), {
    'another value': priority({ value: 11 }),
    'another policy': priority({ preemptionPolicy: 'Never' }),
  }),
  ...updates('config map', resource('v1', 'ConfigMap', { immutable: true, data: { a: 'b' } }), {
    'other data': resource('v1', 'ConfigMap', { immutable: true, data: { a: 'c' } }),
    'no longer immutable': resource('v1', 'ConfigMap', { data: { a: 'b' } }),
  }),
  ...updates('secret', resource('v1', 'Secret', { immutable: true, data: { a: 'Yg==' } }), {
    'other data': resource('v1', 'Secret', { immutable: true, data: { a: 'Yw==' } }),
    'another type': resource('v1', 'Secret', { immutable: true, type: 'x/y', data: { a: 'Yg==' } }),
  }),
  ...updates('service', service({}), {
    'another port': service({ ports: [{ port: 90 }] }),
  }),
];

export const clusterCases: readonly KindCase[] = [
  ...nodes,
  ...nodeUpdates,
  ...services,
  ...volumes,
  ...storageUpdates,
  ...budgets,
  ...small,
  ...access,
  ...events,
  ...accessUpdates,
];
