import type { CpuBurst, InstanceType } from '@karpenter/core/ports';
import { parseQuantity, toNumber } from '@karpenter/core/values';
import { cpuBaseline, publicAddressPrice, surplusCpuPrices, volumePrice } from '@karpenter/ec2-catalogue';
import type { BlockDevice } from '../node-class/index.ts';
import { architectureOf, type DescribedType, nameOf, vCpusOf } from './described-type.ts';
import type { NodeFacts } from './node-facts.ts';

/** What a node costs besides the price of its offering. */
type NodeExtraPrice = Pick<InstanceType, 'nodeOverheadPrice' | 'burst'>;

const gibibyte = 2 ** 30;

/** What the EC2NodeClass says about costs: volumes and a public address; and about CPU that costs extra. */
export function nodePrice(type: DescribedType, facts: NodeFacts, region: string): NodeExtraPrice {
  const burst = burstOf(nameOf(type), {
    vCpus: vCpusOf(type),
    system: facts.family.operatingSystem === 'windows' ? 'windows' : architectureOf(type),
  });
  return { nodeOverheadPrice: overheadPrice(facts, region), ...(burst !== undefined && { burst }) };
}

function overheadPrice({ blockDevices, associatesPublicAddress }: NodeFacts, region: string): number {
  const volumes = (blockDevices ?? []).reduce(
    (sum, { ebs }) => sum + (ebs === undefined ? 0 : priceOf(ebs, region)),
    0,
  );
  return volumes + (associatesPublicAddress === true ? publicAddressPrice : 0);
}

/** A volume of the size of its snapshot counts nothing: the class does not say how large that is. */
function priceOf({ volumeType = 'gp2', volumeSize, iops, throughput }: BlockDevice, region: string): number {
  // The CRD's pattern accepts a unit without a number.
  const isSized = volumeSize !== undefined && /^\d/.test(volumeSize);
  const gib = isSized ? Math.ceil(toNumber(parseQuantity(volumeSize)) / gibibyte) : 0;
  return volumePrice({ type: volumeType, gib, iops, throughput }, region);
}

interface BurstFacts {
  readonly vCpus: number;
  /** The architecture, or `windows`. */
  readonly system: string;
}

/** The CPU that a type has at its price, and what more costs; undefined if it is not burstable. */
export function burstOf(name: string, { vCpus, system }: BurstFacts): CpuBurst | undefined {
  const baseline = cpuBaseline(name);
  if (baseline === undefined) return undefined;
  const prices: Readonly<Record<string, number>> = surplusCpuPrices;
  return { baseline: baseline * vCpus, surplusPrice: prices[system] ?? surplusCpuPrices.amd64 };
}
