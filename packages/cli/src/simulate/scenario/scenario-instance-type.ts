import { burstOf } from '@karpenter/aws';
import { labelKeys } from '@karpenter/core/api';
import type { InstanceType, Offering } from '@karpenter/core/ports';
import { parseQuantity, parseResourceList, toNumber } from '@karpenter/core/values';
import type { ScenarioInstanceType, ScenarioOffering } from './scenario.ts';

/**
 * Requirements by zone and capacity type, shared by the offerings of all types: a scenario has thousands of offerings
 * and only a few combinations.
 */
export type SharedRequirements = Map<string, Offering['requirements']>;

export function scenarioInstanceType(type: ScenarioInstanceType, known: SharedRequirements): InstanceType {
  const { name, labels = {}, capacity, overhead = {}, offerings } = type;
  parseResourceList(capacity, 'capacity');
  parseResourceList(overhead, 'overhead');
  const burst = burstOf(name, {
    vCpus: toNumber(parseQuantity(capacity['cpu'] ?? 0)),
    system: labels[labelKeys.architecture] ?? 'amd64',
  });
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
    offerings: offerings.map((offering) => scenarioOffering(offering, known)),
    ...(burst !== undefined && { burst }),
  };
}

function scenarioOffering(offering: ScenarioOffering, known: SharedRequirements): Offering {
  const { zone, capacityType, price, available = true } = offering;
  const name = `${zone}/${capacityType}`;
  const requirements = known.get(name) ?? [
    isOneOf(labelKeys.zone, [zone]),
    isOneOf(labelKeys.capacityType, [capacityType]),
  ];
  known.set(name, requirements);
  return { requirements, price, available };
}

function isOneOf(key: string, values: readonly string[]) {
  return { key, operator: 'In', values };
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort();
}
