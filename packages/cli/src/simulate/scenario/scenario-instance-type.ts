import { labelKeys } from '@karpenter/core/api';
import type { InstanceType, Offering } from '@karpenter/core/ports';
import { parseResourceList } from '@karpenter/core/values';
import type { ScenarioInstanceType, ScenarioOffering } from './scenario.ts';

export function scenarioInstanceType(type: ScenarioInstanceType): InstanceType {
  const { name, labels = {}, capacity, overhead = {}, offerings } = type;
  parseResourceList(capacity, 'capacity');
  parseResourceList(overhead, 'overhead');
  return {
    name,
    requirements: [
      ...Object.entries(labels).map(([key, value]) => isOneOf(key, [value])),
      isOneOf(labelKeys.instanceType, [name]),
      isOneOf(labelKeys.zone, distinct(offerings.map(({ zone }) => zone))),
      isOneOf(labelKeys.capacityType, distinct(offerings.map(({ capacityType }) => capacityType))),
    ],
    capacity,
    overhead: { kubeReserved: overhead },
    offerings: offerings.map(scenarioOffering),
  };
}

function scenarioOffering({ zone, capacityType, price, available = true }: ScenarioOffering): Offering {
  return {
    requirements: [isOneOf(labelKeys.zone, [zone]), isOneOf(labelKeys.capacityType, [capacityType])],
    price,
    available,
  };
}

function isOneOf(key: string, values: readonly string[]) {
  return { key, operator: 'In', values };
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort();
}
