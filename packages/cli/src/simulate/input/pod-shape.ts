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

// Schemas of the fields that placement reads from Kubernetes' own objects. Other fields pass unchecked.

const expressions = (...operators: readonly string[]): JsonSchema =>
  listOf(shape({ key: text, operator: choice(...operators), values: listOf(text) }, ['key', 'operator']));

export const selectorShape = shape({
  matchLabels: texts,
  matchExpressions: expressions('In', 'NotIn', 'Exists', 'DoesNotExist'),
});

export const nodeSelectorTermShape = shape({
  matchExpressions: expressions('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'),
  matchFields: expressions('In', 'NotIn'),
});

const nodeAffinity = shape({
  requiredDuringSchedulingIgnoredDuringExecution: shape(
    { nodeSelectorTerms: listOf(nodeSelectorTermShape) },
    ['nodeSelectorTerms'],
  ),
  preferredDuringSchedulingIgnoredDuringExecution: listOf(
    shape({ weight: number, preference: nodeSelectorTermShape }, ['weight', 'preference']),
  ),
});

const podAffinityTerm = shape(
  {
    topologyKey: text,
    labelSelector: selectorShape,
    namespaces: listOf(text),
    namespaceSelector: selectorShape,
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
    labelSelector: selectorShape,
    minDomains: { type: 'integer', minimum: 1 },
    nodeAffinityPolicy: choice('Honor', 'Ignore'),
    nodeTaintsPolicy: choice('Honor', 'Ignore'),
    matchLabelKeys: listOf(text),
  },
  ['topologyKey', 'maxSkew', 'whenUnsatisfiable'],
);

const resources = shape({ requests: amounts, limits: amounts, claims: listOf(anything) });
const port = shape({ containerPort: count, hostPort: count, hostIP: text, protocol: text });
const container = shape({ name: text, resources, ports: listOf(port), restartPolicy: text });

const volume = shape(
  { name: text, persistentVolumeClaim: shape({ claimName: text }, ['claimName']), ephemeral: anything },
  ['name'],
);

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
    volumes: listOf(volume),
    resourceClaims: listOf(anything),
  },
  ['containers'],
);

const owner = shape({ apiVersion: text, kind: text, name: text, controller: flag }, ['kind', 'name']);

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

const podStatus = shape({
  phase: text,
  nominatedNodeName: text,
  conditions: listOf(shape({ type: text, status: text, reason: text }, ['type'])),
});

export const podShape = shape({ metadata: metadataShape, spec: podSpec, status: podStatus }, ['spec']);

export const taintShape = shape({ key: text, value: text, effect: text }, ['key', 'effect']);

export const nodeShape = shape({
  metadata: metadataShape,
  spec: shape({ providerID: text, taints: listOf(taintShape), unschedulable: flag }),
  status: shape({ capacity: amounts, allocatable: amounts }),
});

export const templateShape = shape({ metadata: metadataShape, spec: podSpec }, ['spec']);

export const claimShape = shape(
  {
    metadata: metadataShape,
    spec: shape({ volumeName: text, storageClassName: text }),
    status: shape({ phase: text }),
  },
  ['spec'],
);

export const workloadShape = shape(
  {
    metadata: metadataShape,
    spec: shape(
      {
        replicas: podCount,
        parallelism: podCount,
        completions: count,
        suspend: flag,
        selector: anything,
        template: templateShape,
        volumeClaimTemplates: listOf(claimShape),
      },
      ['template'],
    ),
    status: shape({ succeeded: count }),
  },
  ['spec'],
);
