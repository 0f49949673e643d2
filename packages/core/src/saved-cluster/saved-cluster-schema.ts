import { choice, type JsonSchema, listOf } from '../schema/index.ts';
import type { SavedFact } from './saved-cluster.ts';

const text: JsonSchema = { type: 'string' };
const flag: JsonSchema = { type: 'boolean' };
const number: JsonSchema = { type: 'number' };
const count: JsonSchema = { type: 'integer', minimum: 0 };
const anything: JsonSchema = { type: 'object' };
const texts: JsonSchema = { type: 'array', items: text };
const counts: JsonSchema = { type: 'object', additionalProperties: count };

function shape(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, required };
}

const requirements = listOf(shape({ key: text, operator: text, values: texts }, ['key', 'operator']));
const offering = shape(
  {
    requirements,
    price: number,
    available: flag,
    isSuspect: flag,
    reservationCapacity: count,
    capacity: anything,
    overhead: anything,
  },
  ['requirements', 'price', 'available'],
);
const instanceType = shape(
  {
    name: text,
    requirements,
    capacity: anything,
    overhead: anything,
    offerings: listOf(offering),
    nodeOverheadPrice: number,
    burst: shape({ baseline: number, surplusPrice: number }),
    partialDevices: listOf(text),
  },
  ['name', 'requirements', 'capacity', 'overhead', 'offerings'],
);

const spreadConstraint = shape(
  {
    maxSkew: count,
    topologyKey: text,
    whenUnsatisfiable: choice('DoNotSchedule', 'ScheduleAnyway'),
    minDomains: count,
    nodeAffinityPolicy: choice('Honor', 'Ignore'),
    nodeTaintsPolicy: choice('Honor', 'Ignore'),
  },
  ['maxSkew', 'topologyKey', 'whenUnsatisfiable'],
);

const planningFields = {
  preferencePolicy: choice('Respect', 'Ignore'),
  minValuesPolicy: choice('Strict', 'BestEffort'),
  ignoreDraRequests: flag,
  featureGates: { type: 'object', additionalProperties: flag },
  reservedCapacity: choice('strict', 'fallback'),
  defaultSpread: listOf(spreadConstraint),
  nodeClasses: listOf(shape({ group: text, kind: text })),
  hasStorage: flag,
} satisfies Readonly<Record<string, JsonSchema>>;
// Clusters saved by older versions lack what their plans did not count: the price of a node besides its
// instance, and upcoming pods.
const planning = shape(
  { ...planningFields, nodeOverheadPrice: number, planUpcomingPods: flag },
  Object.keys(planningFields),
);

/** The fields of each type of fact. */
export const factFields: Readonly<Record<SavedFact['type'], readonly string[]>> = {
  podsExpected: ['nodeClaim', 'pods'],
  markedForDeletion: ['nodes'],
  nominated: ['nodes', 'until'],
  pendingDisruption: ['nodeClaims'],
  nodesReserved: ['nodePool', 'count'],
  bufferPodsPlaced: ['byNode'],
};

const fact = shape(
  {
    type: choice(...Object.keys(factFields)),
    nodeClaim: text,
    pods: texts,
    nodes: texts,
    until: number,
    nodeClaims: texts,
    nodePool: text,
    count,
    byNode: counts,
  },
  ['type'],
);

export const savedClusterSchema = shape({
  apiVersion: text,
  kind: text,
  at: number,
  planning,
  instanceTypes: shape({ lists: listOf(listOf(instanceType)), nodePools: counts }),
  facts: listOf(fact),
  objects: listOf(shape({ apiVersion: text, kind: text, items: listOf(anything) })),
});
