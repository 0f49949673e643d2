import type { InstanceType } from '@karpenter/core/ports';
import { instanceType } from '../snapshots/index.ts';

const families = [
  { name: 'c', memoryPerCpu: 2, pricePerCpu: 0.043 },
  { name: 'm', memoryPerCpu: 4, pricePerCpu: 0.049 },
  { name: 'r', memoryPerCpu: 8, pricePerCpu: 0.064 },
] as const;
const generations = [5, 6, 7];
const sizes = [2, 4, 8, 16, 32];

/** The instance types of a small cloud: three families on two architectures, and types with a GPU. */
export function smallCloudTypes(): readonly InstanceType[] {
  const plain = families.flatMap(({ name, memoryPerCpu, pricePerCpu }) =>
    generations.flatMap((generation) =>
      ['amd64', 'arm64'].flatMap((arch) =>
        sizes.map((cpus) => {
          const discount = arch === 'arm64' ? 0.8 : 1;
          return instanceType(`${name}${generation}${arch.slice(0, 2)}.${cpus}`, {
            arch,
            cpu: String(cpus),
            memory: `${cpus * memoryPerCpu}Gi`,
            pods: String(Math.min(110, cpus * 15)),
            price: round(cpus * pricePerCpu * discount * (1 + (7 - generation) * 0.02)),
            spotPrice: round(cpus * pricePerCpu * discount * (0.3 + ((generation * cpus) % 7) * 0.05)),
            capacityTypes: ['on-demand', 'spot'],
          });
        }),
      ),
    ),
  );
  const gpu = [8, 16, 32].map((cpus) =>
    instanceType(`g5.${cpus}`, {
      cpu: String(cpus),
      memory: `${cpus * 4}Gi`,
      extra: { 'nvidia.com/gpu': String(cpus / 8) },
      price: round(cpus * 0.13),
      capacityTypes: ['on-demand', 'spot'],
    }),
  );
  return [...plain, ...gpu];
}

function round(price: number): number {
  return Math.round(price * 1e5) / 1e5;
}
