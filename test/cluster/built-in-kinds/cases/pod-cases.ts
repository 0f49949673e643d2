import { cases, container, type KindCase, pod, podWith, updates } from './kind-case.ts';

const probe = (fields: object) => podWith({ livenessProbe: { ...fields } });
const volume = (fields: object) => pod({ volumes: [{ name: 'v', ...fields }] });
const env = (...entries: object[]) => podWith({ env: entries.map((entry) => ({ ...entry })) });
const affinity = (fields: object) => pod({ affinity: { ...fields } });
const spread = (fields: object) =>
  pod({
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {}, ...fields },
    ],
  });
const term = { labelSelector: { matchLabels: { a: 'b' } }, topologyKey: 'zone' };
const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
const nodeTerms = (expressions: object[]) =>
  affinity({ nodeAffinity: { [required]: { nodeSelectorTerms: [{ matchExpressions: expressions }] } } });

const good = cases('pod', {
  'with the least': pod(),
  'with an image by digest': podWith({
    image: 'a@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  }),
  'with an image without a tag': podWith({ image: 'nginx' }),
  'with the tag latest': podWith({ image: 'host:5000/nginx:latest' }),
  'with limits alone': podWith({ resources: { limits: { cpu: '500m', memory: '128Mi' } } }),
  'with limits and one request': podWith({
    resources: { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '0.5' } },
  }),
  'with equal limits and requests': podWith({
    resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1000m', memory: '1024Mi' } },
  }),
  'with an extended resource': podWith({ resources: { limits: { 'nvidia.com/gpu': '1' } } }),
  'with probes': podWith({
    livenessProbe: { httpGet: { port: 80 } },
    readinessProbe: { tcpSocket: { port: 'web' }, periodSeconds: 5 },
    startupProbe: { exec: { command: ['true'] } },
    ports: [{ name: 'web', containerPort: 80 }],
  }),
  'with a grpc probe': podWith({ livenessProbe: { grpc: { port: 90 } } }),
  'with ports': podWith({
    ports: [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP', hostPort: 53 }],
  }),
  'on the host network': pod({
    hostNetwork: true,
    containers: [{ ...container, ports: [{ containerPort: 8080 }] }],
  }),
  'with volumes': pod({
    volumes: [
      { name: 'empty' },
      { name: 'memory', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } },
      { name: 'path', hostPath: { path: '/data' } },
      { name: 'secret', secret: { secretName: 's' } },
      { name: 'map', configMap: { name: 'm', items: [{ key: 'k', path: 'p' }] } },
      { name: 'claim', persistentVolumeClaim: { claimName: 'c' } },
      {
        name: 'down',
        downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] },
      },
      {
        name: 'projected',
        projected: { sources: [{ serviceAccountToken: { path: 'token' } }, { configMap: { name: 'm' } }] },
      },
      { name: 'csi', csi: { driver: 'ebs.csi.aws.com' } },
      { name: 'nfs', nfs: { server: 's', path: '/' } },
      {
        name: 'own',
        ephemeral: {
          volumeClaimTemplate: {
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        },
      },
    ],
    containers: [
      {
        ...container,
        volumeMounts: [
          { name: 'empty', mountPath: '/a' },
          { name: 'map', mountPath: '/b', subPath: 'x', readOnly: true },
        ],
      },
    ],
  }),
  'with environment': env(
    { name: 'A', value: 'b' },
    { name: 'EMPTY' },
    { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
    { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
    { name: 'S', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
  ),
  'with node affinity': affinity({
    nodeAffinity: {
      [required]: {
        nodeSelectorTerms: [
          {
            matchExpressions: [
              { key: 'a', operator: 'In', values: ['b'] },
              { key: 'n', operator: 'Gt', values: ['1'] },
            ],
          },
        ],
      },
      [preferred]: [{ weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } }],
    },
  }),
  'with pod affinity': affinity({
    podAffinity: { [required]: [term] },
    podAntiAffinity: { [preferred]: [{ weight: 100, podAffinityTerm: term }] },
  }),
  'with spread': spread({}),
  'with spread and minDomains': spread({
    minDomains: 2,
    nodeAffinityPolicy: 'Honor',
    nodeTaintsPolicy: 'Ignore',
    matchLabelKeys: ['x'],
  }),
  'with tolerations': pod({
    tolerations: [
      { operator: 'Exists' },
      { key: 'a', value: 'b', effect: 'NoSchedule' },
      { key: 'c', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
    ],
  }),
  'with init containers and a sidecar': pod({
    initContainers: [
      { name: 'init', image: 'i' },
      { name: 'side', image: 's', restartPolicy: 'Always' },
    ],
  }),
  'with scheduling gates': pod({ schedulingGates: [{ name: 'example.com/gate' }] }),
  'with security': pod({
    securityContext: {
      runAsUser: 1000,
      fsGroup: 1,
      sysctls: [{ name: 'kernel.shm_rmid_forced', value: '0' }],
    },
    containers: [
      { ...container, securityContext: { privileged: true, capabilities: { add: ['NET_ADMIN'] } } },
    ],
  }),
  'with an overhead of zeros left out': pod({
    hostname: 'h',
    subdomain: 's',
    terminationGracePeriodSeconds: 0,
    activeDeadlineSeconds: 10,
    shareProcessNamespace: false,
  }),
  'with the lifecycle of a container': podWith({
    lifecycle: { preStop: { exec: { command: ['sleep', '1'] } }, postStart: { httpGet: { port: 80 } } },
  }),
  'with host aliases and dns': pod({
    hostAliases: [{ ip: '1.2.3.4', hostnames: ['a'] }],
    dnsPolicy: 'None',
    dnsConfig: { nameservers: ['1.1.1.1'] },
  }),
  'with status of its own': { ...pod(), status: { phase: 'Running', podIP: '1.2.3.4' } },
  'with quantities in odd forms': podWith({
    resources: { requests: { cpu: 0.1, memory: '1e3', 'ephemeral-storage': '1.5Gi' } },
  }),
  'with node selector': pod({ nodeSelector: { 'kubernetes.io/arch': 'arm64' } }),
});

const bad = cases('pod', {
  'without containers': pod({ containers: [] }),
  'with containers null': pod({ containers: null }),
  'with two containers of one name': pod({ containers: [container, container] }),
  'with an init container of the same name': pod({ initContainers: [container] }),
  'with a bad container name': podWith({ name: 'Main_1' }),
  'with no container name': podWith({ name: '' }),
  'with no image': podWith({ image: '' }),
  'with a blank image': podWith({ image: ' a ' }),
  'with an unknown pull policy': podWith({ imagePullPolicy: 'Sometimes' }),
  'with an unknown restart policy': pod({ restartPolicy: 'Maybe' }),
  'with an unknown dns policy': pod({ dnsPolicy: 'Maybe' }),
  'with dns policy None and no servers': pod({ dnsPolicy: 'None' }),
  'with a request above the limit': podWith({ resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }),
  'with a negative request': podWith({ resources: { requests: { cpu: '-1' } } }),
  'with a fraction of an extended resource': podWith({ resources: { limits: { 'nvidia.com/gpu': '0.5' } } }),
  'with an extended resource requested alone': podWith({
    resources: { requests: { 'nvidia.com/gpu': '1' } },
  }),
  'with an unknown resource': podWith({ resources: { requests: { gpu: '1' } } }),
  'with a malformed resource name': podWith({ resources: { requests: { 'a b/c': '1' } } }),
  'with a port out of range': podWith({ ports: [{ containerPort: 70000 }] }),
  'with no port number': podWith({ ports: [{ name: 'a' }] }),
  'with an unknown protocol': podWith({ ports: [{ containerPort: 1, protocol: 'ICMP' }] }),
  'with a bad port name': podWith({ ports: [{ containerPort: 1, name: 'Way_Too_Long_A_Name' }] }),
  'with two ports of one name': podWith({
    ports: [
      { containerPort: 1, name: 'a' },
      { containerPort: 2, name: 'a' },
    ],
  }),
  'with a host port twice': podWith({
    ports: [
      { containerPort: 1, hostPort: 5 },
      { containerPort: 2, hostPort: 5 },
    ],
  }),
  'with a probe without a handler': probe({}),
  'with a probe with two handlers': probe({ exec: { command: ['a'] }, tcpSocket: { port: 1 } }),
  'with a probe of negative period': probe({ tcpSocket: { port: 1 }, periodSeconds: -1 }),
  'with a liveness probe that needs two successes': probe({ tcpSocket: { port: 1 }, successThreshold: 2 }),
  'with a probe of port 0': probe({ httpGet: { port: 0 } }),
  'with an exec probe without a command': probe({ exec: {} }),
  'with a volume of two sources': volume({ emptyDir: {}, hostPath: { path: '/x' } }),
  'with a volume without a name': pod({ volumes: [{ emptyDir: {} }] }),
  'with two volumes of one name': pod({ volumes: [{ name: 'a' }, { name: 'a' }] }),
  'with a bad volume name': pod({ volumes: [{ name: 'A.b' }] }),
  'with a mount of no volume': podWith({ volumeMounts: [{ name: 'nope', mountPath: '/a' }] }),
  'with a mount without a path': pod({
    volumes: [{ name: 'v' }],
    containers: [{ ...container, volumeMounts: [{ name: 'v', mountPath: '' }] }],
  }),
  'with a mount path twice': pod({
    volumes: [{ name: 'v' }],
    containers: [
      {
        ...container,
        volumeMounts: [
          { name: 'v', mountPath: '/a' },
          { name: 'v', mountPath: '/a' },
        ],
      },
    ],
  }),
  'with a config map volume without a name': volume({ configMap: {} }),
  'with a secret volume without a name': volume({ secret: {} }),
  'with a claim volume without a name': volume({ persistentVolumeClaim: { claimName: '' } }),
  'with a host path without a path': volume({ hostPath: { path: '' } }),
  'with a mode out of range': volume({ secret: { secretName: 'a', defaultMode: 512 } }),
  'with an environment variable without a name': env({ name: '', value: 'x' }),
  'with a bad environment variable name': env({ name: 'a=b' }),
  'with value and source both': env({
    name: 'A',
    value: 'x',
    valueFrom: { fieldRef: { fieldPath: 'metadata.name' } },
  }),
  'with an unknown field path': env({ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.nope' } } }),
  'with a secret key without a key': env({ name: 'A', valueFrom: { secretKeyRef: { name: 'a', key: '' } } }),
  'with a bad node selector': pod({ nodeSelector: { 'a b': 'c d' } }),
  'with no operator in node affinity': nodeTerms([{ key: 'a', operator: 'Like', values: ['b'] }]),
  'with In without values': nodeTerms([{ key: 'a', operator: 'In' }]),
  'with Exists with values': nodeTerms([{ key: 'a', operator: 'Exists', values: ['b'] }]),
  'with Gt with two values': nodeTerms([{ key: 'a', operator: 'Gt', values: ['1', '2'] }]),
  'with Gt with no number': nodeTerms([{ key: 'a', operator: 'Gt', values: ['x'] }]),
  'with no node selector terms': affinity({ nodeAffinity: { [required]: { nodeSelectorTerms: [] } } }),
  'with a weight of 0': affinity({
    nodeAffinity: {
      [preferred]: [{ weight: 0, preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } }],
    },
  }),
  'with a weight of 101': affinity({
    podAffinity: { [preferred]: [{ weight: 101, podAffinityTerm: term }] },
  }),
  'with no topology key in affinity': affinity({
    podAffinity: { [required]: [{ ...term, topologyKey: '' }] },
  }),
  'with a bad selector in affinity': affinity({
    podAntiAffinity: {
      [required]: [{ ...term, labelSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }],
    },
  }),
  'with a skew of 0': spread({ maxSkew: 0 }),
  'with no topology key': spread({ topologyKey: '' }),
  'with an unknown whenUnsatisfiable': spread({ whenUnsatisfiable: 'Never' }),
  'with minDomains on ScheduleAnyway': spread({ minDomains: 1, whenUnsatisfiable: 'ScheduleAnyway' }),
  'with minDomains 0': spread({ minDomains: 0 }),
  'with the same spread twice': pod({
    topologySpreadConstraints: [1, 2].map((maxSkew) => ({
      maxSkew,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
    })),
  }),
  'with an unknown inclusion policy': spread({ nodeAffinityPolicy: 'Maybe' }),
  'with a toleration of an unknown effect': pod({
    tolerations: [{ key: 'a', operator: 'Exists', effect: 'Nope' }],
  }),
  'with a toleration of an unknown operator': pod({ tolerations: [{ key: 'a', operator: 'In' }] }),
  'with a toleration without a key': pod({ tolerations: [{ operator: 'Equal', value: 'a' }] }),
  'with a toleration Exists with a value': pod({
    tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }],
  }),
  'with seconds on NoSchedule': pod({
    tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 5 }],
  }),
  'with a bad toleration key': pod({ tolerations: [{ key: 'a b', operator: 'Exists' }] }),
  'with a negative grace period': pod({ terminationGracePeriodSeconds: -1 }),
  'with a deadline of 0': pod({ activeDeadlineSeconds: 0 }),
  'with a bad hostname': pod({ hostname: 'A_b' }),
  'with a bad node name': pod({ nodeName: 'A_b' }),
  'with a bad scheduler name': pod({ schedulerName: 'A_b' }),
  'with a scheduling gate and a node': pod({ nodeName: 'n', schedulingGates: [{ name: 'a' }] }),
  'with a scheduling gate twice': pod({ schedulingGates: [{ name: 'a' }, { name: 'a' }] }),
  'with a bad scheduling gate': pod({ schedulingGates: [{ name: 'A b' }] }),
  'with host ports that differ on the host network': pod({
    hostNetwork: true,
    containers: [{ ...container, ports: [{ containerPort: 1, hostPort: 2 }] }],
  }),
  'with a sidecar policy on a container': podWith({ restartPolicy: 'Sometimes' }),
  'with a bad name': pod({}, { name: 'A_b' }),
  'with a bad readiness gate': pod({ readinessGates: [{ conditionType: 'a b' }] }),
  'with a bad host alias': pod({ hostAliases: [{ ip: 'x' }] }),
});

const stored = pod({
  tolerations: [{ key: 'a', operator: 'Exists' }],
  terminationGracePeriodSeconds: 30,
  activeDeadlineSeconds: 100,
});
const changed = (fields: object) =>
  pod({ tolerations: [{ key: 'a', operator: 'Exists' }], activeDeadlineSeconds: 100, ...fields });

const updated = updates('pod', stored, {
  'another image': changed({ containers: [{ ...container, image: 'other:1' }] }),
  'another toleration': changed({
    tolerations: [
      { key: 'a', operator: 'Exists' },
      { key: 'b', operator: 'Exists' },
    ],
  }),
  'a toleration fewer': changed({ tolerations: [] }),
  'a shorter deadline': changed({ activeDeadlineSeconds: 50 }),
  'a longer deadline': changed({ activeDeadlineSeconds: 200 }),
  'no deadline': pod({ tolerations: [{ key: 'a', operator: 'Exists' }] }),
  'another node selector': changed({ nodeSelector: { a: 'b' } }),
  'other requests': changed({ containers: [{ ...container, resources: { requests: { cpu: '1' } } }] }),
  'a container more': changed({ containers: [container, { ...container, name: 'b' }] }),
  'an empty image': changed({ containers: [{ ...container, image: '' }] }),
  'a scheduling gate more': changed({ schedulingGates: [{ name: 'a' }] }),
});

export const podCases: readonly KindCase[] = [...good, ...bad, ...updated];
