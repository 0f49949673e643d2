import type { JsonSchema } from '@karpenter/core/schema';
import {
  amounts,
  anything,
  choice,
  count,
  flag,
  listOf,
  number,
  podCount,
  shape,
  text,
  texts,
} from './shape.ts';

// What placement reads of Kubernetes' own objects.

const expressions = (...operators: readonly string[]): JsonSchema =>
  listOf(shape({ key: text, operator: choice(...operators), values: listOf(text) }, ['key', 'operator']));

const selector = shape({
  matchLabels: texts,
  matchExpressions: expressions('In', 'NotIn', 'Exists', 'DoesNotExist'),
});

const nodeSelectorTerm = shape({
  matchExpressions: expressions('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'),
  matchFields: expressions('In', 'NotIn'),
});

const nodeAffinity = shape({
  requiredDuringSchedulingIgnoredDuringExecution: shape({ nodeSelectorTerms: listOf(nodeSelectorTerm) }, [
    'nodeSelectorTerms',
  ]),
  preferredDuringSchedulingIgnoredDuringExecution: listOf(
    shape({ weight: number, preference: nodeSelectorTerm }, ['weight', 'preference']),
  ),
});

const podAffinityTerm = shape(
  {
    topologyKey: text,
    labelSelector: selector,
    namespaces: listOf(text),
    namespaceSelector: selector,
    matchLabelKeys: listOf(text),
    mismatchLabelKeys: listOf(text),
  },
  ['topologyKey'],
);

const podAffinity = shape({
  requiredDuringSchedulingIgnoredDuringExecution: listOf(podAffinityTerm),
  preferredDuringSchedulingIgnoredDuringExecution: listOf(
    shape({ weight: number, podAffinityTerm }, ['weight', 'podAffinityTerm']),
  ),
});

const spreadConstraint = shape(
  {
    topologyKey: text,
    maxSkew: { type: 'integer', minimum: 1 },
    whenUnsatisfiable: choice('DoNotSchedule', 'ScheduleAnyway'),
    labelSelector: selector,
    minDomains: { type: 'integer', minimum: 1 },
    nodeAffinityPolicy: choice('Honor', 'Ignore'),
    nodeTaintsPolicy: choice('Honor', 'Ignore'),
    matchLabelKeys: listOf(text),
  },
  ['topologyKey', 'maxSkew', 'whenUnsatisfiable'],
);

const resources = shape({ requests: amounts, limits: amounts });
const port = shape({ containerPort: count, hostPort: count, hostIP: text, protocol: text });
const container = shape({ name: text, resources, ports: listOf(port), restartPolicy: text });

const toleration = shape({ key: text, operator: text, value: text, effect: text, tolerationSeconds: number });

const podSpec = shape(
  {
    containers: listOf(container),
    initContainers: listOf(container),
    overhead: amounts,
    resources,
    nodeName: text,
    nodeSelector: texts,
    hostNetwork: flag,
    tolerations: listOf(toleration),
    affinity: shape({ nodeAffinity, podAffinity, podAntiAffinity: podAffinity }),
    topologySpreadConstraints: listOf(spreadConstraint),
    schedulingGates: listOf(anything),
    volumes: listOf(anything),
  },
  ['containers'],
);

const owner = shape({ kind: text, name: text, controller: flag }, ['kind', 'name']);

export const metadataShape = shape({
  name: text,
  generateName: text,
  namespace: text,
  uid: text,
  labels: texts,
  annotations: texts,
  creationTimestamp: text,
  deletionTimestamp: text,
  ownerReferences: listOf(owner),
});

export const podShape = shape(
  { metadata: metadataShape, spec: podSpec, status: shape({ phase: text, conditions: listOf(anything) }) },
  ['spec'],
);

const taint = shape({ key: text, value: text, effect: text }, ['key', 'effect']);

export const nodeShape = shape({
  metadata: metadataShape,
  spec: shape({ taints: listOf(taint), unschedulable: flag }),
  status: shape({ capacity: amounts, allocatable: amounts }),
});

const template = shape({ metadata: metadataShape, spec: podSpec }, ['spec']);

export const workloadShape = shape(
  {
    metadata: metadataShape,
    spec: shape({ replicas: podCount, parallelism: podCount, completions: count, suspend: flag, template }, [
      'template',
    ]),
    status: shape({ succeeded: count }),
  },
  ['spec'],
);
