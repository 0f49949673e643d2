import type { JsonSchema } from '@karpenter/core/schema';
import {
  metadataShape,
  nodeSelectorTermShape,
  selectorShape,
  taintShape,
  templateShape,
} from './pod-shape.ts';
import { amounts, anything, choice, count, listOf, shape, text, texts } from './shape.ts';

// Schemas of the fields that planning reads from the objects around pods and nodes. Other fields pass unchecked, so
// that objects of newer Kubernetes versions stay readable.

export const serviceShape = shape({ spec: shape({ selector: texts }) });

export const podTemplateShape = shape({ metadata: metadataShape, template: templateShape }, ['template']);

const volumeAffinity = shape({ required: shape({ nodeSelectorTerms: listOf(nodeSelectorTermShape) }) });

export const volumeShape = shape(
  {
    metadata: metadataShape,
    spec: shape({
      nodeAffinity: volumeAffinity,
      csi: shape({ driver: text }, ['driver']),
      awsElasticBlockStore: anything,
      local: anything,
      hostPath: anything,
    }),
  },
  ['spec'],
);

const topologyExpression = shape({ key: text, values: listOf(text) }, ['key', 'values']);

export const storageClassShape = shape(
  {
    metadata: metadataShape,
    provisioner: text,
    volumeBindingMode: choice('Immediate', 'WaitForFirstConsumer'),
    allowedTopologies: listOf(shape({ matchLabelExpressions: listOf(topologyExpression) })),
  },
  ['provisioner'],
);

const driver = shape({ name: text, allocatable: shape({ count }) }, ['name']);

export const csiNodeShape = shape({ spec: shape({ drivers: listOf(driver) }) });

const condition: JsonSchema = shape({ type: text, status: text }, ['type', 'status']);

const requirement = shape({ key: text, operator: text, values: listOf(text) }, ['key', 'operator']);

export const disruptionBudgetShape = shape({
  spec: shape({ selector: selectorShape, unhealthyPodEvictionPolicy: text }),
  status: shape({ disruptionsAllowed: count }),
});

export const nodeClaimShape = shape({
  metadata: metadataShape,
  spec: shape({
    taints: listOf(taintShape),
    startupTaints: listOf(taintShape),
    requirements: listOf(requirement),
    resources: shape({ requests: amounts }),
    nodeClassRef: shape({ group: text, kind: text, name: text }),
    terminationGracePeriod: text,
  }),
  status: shape({
    nodeName: text,
    providerID: text,
    capacity: amounts,
    allocatable: amounts,
    conditions: listOf(condition),
  }),
});
