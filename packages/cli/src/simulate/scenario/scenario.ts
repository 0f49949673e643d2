import { type Json, type JsonObject, type JsonSchema, member } from '@karpenter/core/schema';
import type { QuantityTexts } from '@karpenter/core/values';
import type { WrittenNode, WrittenPod } from '../input/objects.ts';
import type { Origin } from '../input/origin.ts';
import { nodeShape, podShape } from '../input/pod-shape.ts';
import {
  amounts,
  anything,
  choice,
  flag,
  listOf,
  podCount,
  readShape,
  shape,
  text,
  texts,
} from '../input/shape.ts';

/** A benchmark scenario: a whole cluster in one file, with pods given as groups of equal ones. */
export interface Scenario {
  readonly instanceTypes: readonly ScenarioInstanceType[];
  readonly nodePools: readonly JsonObject[];
  readonly pods: readonly PodGroup[];
  readonly nodes?: readonly WrittenNode[];
  readonly boundPods?: readonly WrittenPod[];
  readonly daemonPods?: readonly WrittenPod[];
  readonly ignorePreferences?: boolean;
}

export interface ScenarioInstanceType {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly capacity: QuantityTexts;
  readonly overhead?: QuantityTexts;
  readonly offerings: readonly ScenarioOffering[];
}

export interface ScenarioOffering {
  readonly zone: string;
  readonly capacityType: string;
  readonly price: number;
  readonly available?: boolean;
}

export interface PodGroup {
  readonly count: number;
  readonly pod: WrittenPod;
}

const offering = shape(
  {
    zone: text,
    capacityType: choice('on-demand', 'spot', 'reserved'),
    price: { type: 'number', minimum: 0 },
    available: flag,
  },
  ['zone', 'capacityType', 'price'],
);

const instanceType = shape(
  { name: text, labels: texts, capacity: amounts, overhead: amounts, offerings: listOf(offering) },
  ['name', 'capacity', 'offerings'],
);

const scenario: JsonSchema = shape(
  {
    instanceTypes: listOf(instanceType),
    nodePools: listOf(anything),
    pods: listOf(shape({ count: podCount, pod: podShape }, ['count', 'pod'])),
    nodes: listOf(nodeShape),
    boundPods: listOf(podShape),
    daemonPods: listOf(podShape),
    ignorePreferences: flag,
  },
  ['instanceTypes', 'nodePools', 'pods'],
);

/** Recognizes a scenario: it is not an API object, so it has no kind, but it has at least one of these lists. */
export function isScenario(value: Json): boolean {
  const isList = (name: string): boolean => Array.isArray(member(value, name));
  return member(value, 'kind') === undefined && ['instanceTypes', 'nodePools', 'pods'].some(isList);
}

export function readScenario(value: Json, origin: Origin): Scenario {
  return readShape(scenario, value, { origin, subject: 'the scenario' });
}
