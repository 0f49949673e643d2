import type { InstanceType } from '@karpenter/core/ports';
import { instanceTypes, onDemandPrice } from '@karpenter/ec2-catalogue';
import { SeededRandom } from '@karpenter/testkit/random-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';

/** Amounts of CPU in thousandths and of memory in MiB. */
interface Amounts {
  readonly cpu: number;
  readonly memory: number;
}

export interface PodSize extends Amounts {
  readonly count: number;
}

export interface Machine extends Amounts {
  readonly name: string;
  readonly pods: number;
  /** The lower of both capacity types. */
  readonly price: number;
}

/** A few pods of some sizes, and the machines that may run them. */
export interface SmallBatch {
  readonly sizes: readonly PodSize[];
  readonly machines: readonly Machine[];
  readonly types: readonly InstanceType[];
}

const maxPods = 40;
const maxSizes = 5;
const families = /^[cmr][5-8][a-z]*\.(medium|large|[248]?xlarge|12xlarge|16xlarge)$/;
const cpus = [100, 250, 500, 750, 1000, 1500, 1900, 2000, 3000, 3500, 4000, 6000, 7500] as const;
const gibPerCpu = [0.5, 1, 1.5, 2, 3, 4, 6, 8] as const;

export function smallBatch(seed: number): SmallBatch {
  const chance = new SeededRandom(seed);
  const machines = machinesOf(chance);
  return { machines, types: machines.map(typeOf), sizes: sizesOf(chance) };
}

/** A part of the catalogue, with room taken by the system and prices of a spot market of its own. */
function machinesOf(chance: SeededRandom): readonly Machine[] {
  const share = chance.pick([0.05, 0.1, 0.2]);
  const isSpot = chance.happens(0.6);
  return [...instanceTypes()]
    .filter(({ InstanceType: name }) => families.test(name) && chance.happens(share))
    .map(({ InstanceType: name, VCpuInfo, MemoryInfo }) => ({
      name,
      cpu: VCpuInfo.DefaultVCpus * 1000 - 80,
      memory: Math.floor(MemoryInfo.SizeInMiB * 0.925) - 400,
      pods: chance.pick([29, 58, 110]),
      price: (onDemandPrice(name) ?? 1) * (isSpot ? chance.integer(250, 700) / 1000 : 1),
    }));
}

function typeOf({ name, cpu, memory, pods, price }: Machine): InstanceType {
  return instanceType(name, { price, cpu: `${cpu}m`, memory: `${memory}Mi`, pods: `${pods}` });
}

function sizesOf(chance: SeededRandom): readonly PodSize[] {
  const sizes = chance.integer(1, maxSizes);
  const pods = chance.integer(3, maxPods);
  const counts = Array.from({ length: sizes }, () => 0);
  for (let pod = 0; pod < pods; pod++) {
    const at = pod < sizes ? pod : chance.integer(0, sizes - 1);
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts
    .filter((count) => count > 0)
    .map((count) => {
      const cpu = chance.pick(cpus);
      return { count, cpu, memory: Math.round((cpu * chance.pick(gibPerCpu) * 1024) / 1000) };
    });
}
