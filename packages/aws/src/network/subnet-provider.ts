import type { Filter, Subnet } from '@aws-sdk/client-ec2';
import { minutes } from '@karpenter/core/api';
import type { Log } from '@karpenter/core/ports';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';
import { allPages, ChangeMonitor, ExpiringMap, pageAfter } from '../caching/index.ts';
import { cacheLifetimes, ec2NodeClassReasons } from '../names/index.ts';
import type { EC2NodeClass, SubnetSelectorTerm, SubnetStatus } from '../node-class/index.ts';
import type { Ec2 } from '../ports/index.ts';
import { foundOr, generationKey, type Resolution, tagFilters, valueFilter } from '../resolution/index.ts';
import { SubnetAddresses } from './subnet-addresses.ts';

export interface SubnetProviderOptions {
  readonly ec2: Pick<Ec2, 'describeSubnets'>;
  readonly clock: Clock;
  readonly log?: Log;
  readonly refreshInterval: DurationMs;
}

/** Resolves the subnets that an EC2NodeClass selects, and tracks their free addresses. */
export class SubnetProvider {
  readonly addresses: SubnetAddresses;
  readonly #ec2: SubnetProviderOptions['ec2'];
  readonly #log: Log | undefined;
  readonly #seen = new ChangeMonitor();
  readonly #found: ExpiringMap<string, readonly SubnetStatus[]>;

  constructor({ ec2, clock, log, refreshInterval }: SubnetProviderOptions) {
    this.#ec2 = ec2;
    this.#log = log;
    this.#found = new ExpiringMap({ clock, lifetime: refreshInterval });
    // Longer than the interval between two reports, so that a figure never expires before the next.
    const lifetime = Math.max(cacheLifetimes.subnetFreeIps, refreshInterval + minutes(4));
    this.addresses = new SubnetAddresses(clock, durationMs(lifetime));
  }

  /**
   * Returns the subnets for `status.subnets`, most free addresses
   * first, or why there are none. Rejects if EC2 fails.
   */
  async resolve(nodeClass: EC2NodeClass): Promise<Resolution<readonly SubnetStatus[]>> {
    const key = generationKey(nodeClass);
    const found = this.#found.get(key) ?? (await this.#fetch(nodeClass.spec.subnetSelectorTerms));
    if (!this.#found.has(key)) this.#found.set(key, found);
    if (this.#seen.isNews(nodeClass.metadata.name, found)) this.#logFound(nodeClass, found);
    return foundOr(found, ec2NodeClassReasons.subnetsNotFound);
  }

  #logFound({ metadata }: EC2NodeClass, found: readonly SubnetStatus[]): void {
    const subnets = found.map(({ id, zone, zoneID }) => ({ id, zone, zoneID }));
    this.#log?.debug('discovered subnets', { EC2NodeClass: { name: metadata.name }, subnets });
  }

  async #fetch(terms: readonly SubnetSelectorTerm[]): Promise<readonly SubnetStatus[]> {
    const pages = await Promise.all(subnetFilters(terms).map((filters) => this.#describe(filters)));
    const byId = new Map(pages.flat().map((subnet) => [subnet.SubnetId ?? '', subnet]));
    // Only from a fresh response: a cached one would undo what launches have reserved since.
    for (const [id, { AvailableIpAddressCount: free = 0 }] of byId) this.addresses.read(id, free);
    return [...byId.values()].sort(byFreeAddresses).map(statusOf);
  }

  #describe(filters: Filter[]): Promise<readonly Subnet[]> {
    return allPages(
      (token) => this.#ec2.describeSubnets({ Filters: filters, MaxResults: 500, ...pageAfter(token) }),
      ({ Subnets }) => Subnets,
    );
  }
}

/** Builds one request for all ids, and one for each other term. In a term with both the id wins. */
export function subnetFilters(terms: readonly SubnetSelectorTerm[]): readonly Filter[][] {
  const ids = terms.flatMap(({ id }) => id ?? []);
  const tagged = terms.filter(({ id }) => id === undefined).map(({ tags = {} }) => tagFilters(tags));
  return [...valueFilter('subnet-id', ids), ...tagged.filter((filters) => filters.length > 0)];
}

function byFreeAddresses(a: Subnet, b: Subnet): number {
  const more = (b.AvailableIpAddressCount ?? 0) - (a.AvailableIpAddressCount ?? 0);
  return more || ((a.SubnetId ?? '') < (b.SubnetId ?? '') ? -1 : 1);
}

function statusOf(subnet: Subnet): SubnetStatus {
  const { SubnetId: id = '', AvailabilityZone: zone = '', AvailabilityZoneId: zoneID } = subnet;
  return { id, zone, ...(zoneID !== undefined && { zoneID }) };
}
