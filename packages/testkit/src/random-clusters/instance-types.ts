import { labelKeys } from '@karpenter/core/api';
import type { InstanceType, Offering } from '@karpenter/core/ports';
import type { SeededRandom } from './chance.ts';
import { architectures, capacityTypes, families, familyLabel, sizeLabel, zones } from './label-choices.ts';

const memoryPerCpu = { c: 2, m: 4, r: 8 } as const;

function isOneOf(key: string, values: Iterable<string>) {
  return { key, operator: 'In', values: [...new Set(values)].sort() };
}

function offerings(chance: SeededRandom, fullPrice: number): Offering[] {
  const all = zones.flatMap((zone) => capacityTypes.map((capacityType) => ({ zone, capacityType })));
  const offered = all.filter(() => chance.happens(0.75));
  return (offered.length > 0 ? offered : all).map(({ zone, capacityType }) => {
    const share = capacityType === 'spot' ? 0.3 + chance.next() * 0.4 : 1;
    return {
      requirements: [isOneOf(labelKeys.zone, [zone]), isOneOf(labelKeys.capacityType, [capacityType])],
      price: Math.round(fullPrice * share * 1e5) / 1e5,
      available: chance.happens(0.85),
    };
  });
}

function valuesOf(offered: readonly Offering[], key: string): string[] {
  return offered.flatMap(({ requirements }) =>
    requirements.flatMap((item) => (item.key === key ? (item.values ?? []) : [])),
  );
}

function instanceType(chance: SeededRandom, index: number): InstanceType {
  const family = chance.pick(families);
  const cpus = chance.pick([1, 2, 4, 8, 16]);
  const memory = cpus * memoryPerCpu[family];
  const gpus = chance.happens(0.2) ? chance.integer(1, 2) : 0;
  const name = `${family}${index}.${cpus}`;
  const offered = offerings(chance, cpus * 0.03 + memory * 0.004 + gpus * 0.5);
  return {
    name,
    requirements: [
      isOneOf(labelKeys.instanceType, [name]),
      isOneOf(labelKeys.architecture, [chance.pick(architectures)]),
      isOneOf(labelKeys.operatingSystem, ['linux']),
      isOneOf(familyLabel, [family]),
      isOneOf(sizeLabel, [String(cpus)]),
      isOneOf(labelKeys.zone, valuesOf(offered, labelKeys.zone)),
      isOneOf(labelKeys.capacityType, valuesOf(offered, labelKeys.capacityType)),
    ],
    capacity: {
      cpu: String(cpus),
      memory: `${memory}Gi`,
      pods: String(chance.pick([4, 8, 30])),
      'ephemeral-storage': '20Gi',
      ...(gpus > 0 && { 'example.com/gpu': String(gpus) }),
    },
    overhead: { kubeReserved: { cpu: '80m', memory: '300Mi' }, evictionThreshold: { memory: '100Mi' } },
    offerings: offered,
  };
}

export function instanceTypes(chance: SeededRandom): readonly InstanceType[] {
  return chance.times(5, 30, (index) => instanceType(chance, index));
}
