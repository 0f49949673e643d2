import { instanceType } from '@karpenter/ec2-catalogue';
import { Refusal } from '../calls/refusal.ts';
import type { Quotas } from '../faults/faults.ts';

type Market = 'on-demand' | 'spot';

/** vCPUs in use. */
export type SavedQuotas = Readonly<Record<Market, number>>;

/** The vCPUs in use and the service quotas on them, per market. */
export class VcpuQuotas {
  readonly #used: Record<Market, number>;

  constructor(saved: SavedQuotas = { 'on-demand': 0, spot: 0 }) {
    this.#used = { ...saved };
  }

  save(): SavedQuotas {
    return { ...this.#used };
  }

  inUse(market: Market): number {
    return this.#used[market];
  }

  /**
   * Throws VcpuLimitExceeded or MaxSpotInstanceCountExceeded beyond the limit. The limits are arguments
   * because faults may change them at run time.
   */
  take(type: string, market: Market, { onDemandVcpus, spotVcpus }: Quotas): void {
    const vcpus = vcpusOf(type);
    const limit = market === 'spot' ? spotVcpus : onDemandVcpus;
    if (this.#used[market] + vcpus > limit) throw exceeded(market, limit);
    this.#used[market] += vcpus;
  }

  giveBack(type: string, market: Market): void {
    this.#used[market] -= vcpusOf(type);
  }
}

function vcpusOf(type: string): number {
  return instanceType(type)?.VCpuInfo.DefaultVCpus ?? 0;
}

function exceeded(market: Market, limit: number): Refusal {
  if (market === 'spot')
    return new Refusal('MaxSpotInstanceCountExceeded', 'Max spot instance count exceeded');
  return new Refusal(
    'VcpuLimitExceeded',
    `You have requested more vCPU capacity than your current vCPU limit of ${limit} allows for the instance bucket that the specified instance type belongs to. Please visit http://aws.amazon.com/contact-us/ec2-request to request an adjustment to this limit.`,
  );
}
