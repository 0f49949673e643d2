import type { CpuBurst, InstanceType } from '@karpenter/core/ports';
import { parseQuantity, toNumber } from '@karpenter/core/values';
import { cpuBaseline, publicAddressPrice, surplusCpuPrices, volumePrice } from '@karpenter/ec2-catalogue';
import type { BlockDevice } from '../node-class/index.ts';
import { architectureOf, type DescribedType, nameOf, vCpusOf } from './described-type.ts';
import type { NodeFacts } from './node-facts.ts';

/** Costs of a node in addition to the price of its offering. */
type NodeExtraPrice = Pick<InstanceType, 'nodeOverheadPrice' | 'burst'>;

const gibibyte = 2 ** 30;

/** Costs of a node besides its offering: volumes and public address of the EC2NodeClass, and surplus CPU (ADR 0057). */
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

/** A volume without a size has that of its snapshot, which is unknown here, so its size counts as 0. */
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

/** Baseline CPU of a burstable type and the price of surplus CPU; undefined if the type is not burstable. */
export function burstOf(name: string, { vCpus, system }: BurstFacts): CpuBurst | undefined {
  const baseline = cpuBaseline(name);
  if (baseline === undefined) return undefined;
  const prices: Readonly<Record<string, number>> = surplusCpuPrices;
  return { baseline: baseline * vCpus, surplusPrice: prices[system] ?? surplusCpuPrices.amd64 };
}
