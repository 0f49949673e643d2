import { type InstanceTypeInfo, instanceType, instanceTypes, zonesOf } from '@karpenter/ec2-catalogue';
import type { Clock, Instant } from '@karpenter/kube/runtime';
import { Refusal } from '../calls/refusal.ts';
import { pricePeriodMs, type SimulatedSpotPrices } from '../capacity/spot-prices.ts';
import type { CloudWorld } from '../world/world.ts';
import { describeType } from './described-type.ts';
import { refuseDryRun } from './dry-run.ts';
import { type FilterFields, matching } from './filters.ts';
import { pageOf, sequenceKey } from './paging.ts';
import {
  type InputOf,
  type InstanceTypeName,
  type ItemOf,
  isInstanceTypeName,
  type OutputOf,
} from './shapes.ts';

export interface TypeCallsOptions {
  readonly world: CloudWorld;
  readonly clock: Clock;
  readonly prices: SimulatedSpotPrices;
}

type Offering = ItemOf<OutputOf<'describeInstanceTypeOfferings'>['InstanceTypeOfferings']>;
type PriceRow = ItemOf<OutputOf<'describeSpotPriceHistory'>['SpotPriceHistory']>;
type Product = NonNullable<PriceRow['ProductDescription']>;

interface PriceList {
  /** Identifies the request without its filters and page. */
  readonly request: string;
  readonly rows: readonly PriceRow[];
}

interface PriceQuery {
  readonly type: string;
  readonly zone: string;
  readonly date: Date;
  readonly products: readonly Product[];
}

const typeFields: FilterFields<InstanceTypeInfo> = {
  'bare-metal': ({ BareMetal }) => String(BareMetal),
  'current-generation': () => 'true',
  hypervisor: ({ Hypervisor }) => Hypervisor,
  'instance-storage-supported': (info) => String(info.InstanceStorageSupported),
  'instance-type': ({ InstanceType }) => InstanceType,
  'memory-info.size-in-mib': ({ MemoryInfo }) => String(MemoryInfo.SizeInMiB),
  'processor-info.supported-architecture': ({ ProcessorInfo }) => ProcessorInfo.SupportedArchitectures,
  'supported-usage-class': ({ SupportedUsageClasses }) => SupportedUsageClasses,
  'supported-virtualization-type': ({ SupportedVirtualizationTypes }) => SupportedVirtualizationTypes,
  'vcpu-info.default-vcpus': ({ VCpuInfo }) => String(VCpuInfo.DefaultVCpus),
};

const offeringFields: FilterFields<Offering> = {
  'instance-type': ({ InstanceType }) => InstanceType,
  location: ({ Location }) => Location,
};

const priceFields: FilterFields<PriceRow> = {
  'availability-zone': ({ AvailabilityZone }) => AvailabilityZone,
  'instance-type': ({ InstanceType }) => InstanceType,
  'product-description': ({ ProductDescription }) => ProductDescription,
  'spot-price': ({ SpotPrice }) => SpotPrice,
  timestamp: ({ Timestamp }) => Timestamp?.toISOString(),
};

const linux: readonly Product[] = ['Linux/UNIX', 'Linux/UNIX (Amazon VPC)'];

/** The describe calls for instance types, their offerings and spot prices. */
export class TypeCalls {
  readonly #options: TypeCallsOptions;
  /** Sorted by name, like the lists derived from it: `pageOf` sorts for each page, which is fast on a sorted list. */
  readonly #offered: readonly InstanceTypeInfo[];
  readonly #zoneNames: ReadonlySet<string>;
  /** Cached by location type, because callers read it page by page and it never changes. */
  readonly #offerings = new Map<string, readonly Offering[]>();
  /** Rows of the latest request, kept for its further pages. */
  #latestPrices: PriceList | undefined;

  constructor(options: TypeCallsOptions) {
    this.#options = options;
    const { region, zones } = options.world;
    this.#offered = instanceTypes()
      .filter(({ InstanceType }) => zonesOf(InstanceType, region).length > 0)
      .toSorted((a, b) => (a.InstanceType < b.InstanceType ? -1 : 1));
    this.#zoneNames = new Set(zones.map(({ name }) => name));
  }

  describeTypes(input: InputOf<'describeInstanceTypes'>): OutputOf<'describeInstanceTypes'> {
    refuseDryRun(input.DryRun);
    const selected = input.InstanceTypes?.length ? input.InstanceTypes.map(knownType) : this.#offered;
    const { items, NextToken } = pageOf(matching(selected, input.Filters, typeFields), typeName, input, {
      min: 5,
      max: 100,
    });
    return { InstanceTypes: items.map(describeType), NextToken };
  }

  describeOfferings(
    input: InputOf<'describeInstanceTypeOfferings'>,
  ): OutputOf<'describeInstanceTypeOfferings'> {
    refuseDryRun(input.DryRun);
    const location = input.LocationType ?? 'region';
    const offerings = this.#offeringsAt(location);
    const { items, NextToken } = pageOf(
      matching(offerings, input.Filters, offeringFields),
      ({ InstanceType, Location }) => `${InstanceType} ${Location}`,
      input,
      { min: 5, max: 1_000 },
    );
    return { InstanceTypeOfferings: items.map((offering) => ({ ...offering })), NextToken };
  }

  describeSpotPrices(input: InputOf<'describeSpotPriceHistory'>): OutputOf<'describeSpotPriceHistory'> {
    refuseDryRun(input.DryRun);
    const now = this.#options.clock.now();
    const times = priceTimes(
      input.StartTime?.getTime() ?? now,
      Math.min(input.EndTime?.getTime() ?? now, now),
    );
    const products = linux.filter((name) => input.ProductDescriptions?.includes(name) ?? true);
    const rows = this.#priceRows(input, times, products);
    const { items, NextToken } = pageOf(matching(rows, input.Filters, priceFields), priceKey, input, {
      min: 1,
      max: 10_000,
    });
    return { SpotPriceHistory: items.map((row) => ({ ...row })), NextToken };
  }

  #offeringsAt(location: string): readonly Offering[] {
    const known = this.#offerings.get(location);
    if (known !== undefined) return known;
    const made = this.#offered.flatMap((info) => this.#offeringsOf(typeName(info), location));
    this.#offerings.set(location, made);
    return made;
  }

  #offeringsOf(name: string, location: string): readonly Offering[] {
    if (!isInstanceTypeName(name)) return [];
    const { region } = this.#options.world;
    if (location === 'region') return [{ InstanceType: name, LocationType: 'region', Location: region }];
    const byId = location === 'availability-zone-id';
    const zones = zonesOf(name, region).filter((zone) => this.#zoneNames.has(zone.name));
    return zones.map((zone) => ({
      InstanceType: name,
      LocationType: byId ? 'availability-zone-id' : 'availability-zone',
      Location: byId ? zone.id : zone.name,
    }));
  }

  #priced({ InstanceTypes, AvailabilityZone }: InputOf<'describeSpotPriceHistory'>) {
    const { region } = this.#options.world;
    const ours = this.#zoneNames;
    const types = InstanceTypes?.length ? InstanceTypes.map(knownType) : this.#offered;
    return types.flatMap((info) =>
      zonesOf(typeName(info), region)
        .filter(({ name }) => ours.has(name) && (AvailabilityZone === undefined || AvailabilityZone === name))
        .map((zone) => ({ type: typeName(info), zone: zone.name })),
    );
  }

  #priceRows(
    input: InputOf<'describeSpotPriceHistory'>,
    times: readonly Instant[],
    products: readonly Product[],
  ): readonly PriceRow[] {
    const request = JSON.stringify([input.InstanceTypes, input.AvailabilityZone, times, products]);
    if (this.#latestPrices?.request === request) return this.#latestPrices.rows;
    const dates = times.map((time) => new Date(time));
    const rows = this.#priced(input).flatMap(({ type, zone }) =>
      dates.flatMap((date) => this.#rowsAt({ type, zone, date, products })),
    );
    this.#latestPrices = { request, rows };
    return rows;
  }

  #rowsAt({ type, zone, date, products }: PriceQuery): readonly PriceRow[] {
    const price = this.#options.prices.at(type, zone, date.getTime());
    if (price === undefined || !isInstanceTypeName(type)) return [];
    const SpotPrice = price.toFixed(6);
    return products.map((product) => ({
      InstanceType: type,
      AvailabilityZone: zone,
      ProductDescription: product,
      SpotPrice,
      Timestamp: date,
    }));
  }
}

/** The times of price changes in the interval, preceded by the change that set the price at its start. */
function priceTimes(start: Instant, end: Instant): readonly Instant[] {
  const first = Math.floor(Math.min(start, end) / pricePeriodMs);
  const count = Math.floor(end / pricePeriodMs) - first + 1;
  return Array.from({ length: count }, (_, index) => (first + index) * pricePeriodMs);
}

function priceKey({ InstanceType, AvailabilityZone, ProductDescription, Timestamp }: PriceRow): string {
  return `${InstanceType} ${AvailabilityZone} ${ProductDescription} ${sequenceKey(Timestamp?.getTime() ?? 0)}`;
}

function typeName({ InstanceType }: InstanceTypeInfo): string {
  return InstanceType;
}

function knownType(name: InstanceTypeName): InstanceTypeInfo {
  const info = instanceType(name);
  if (info !== undefined) return info;
  throw new Refusal('InvalidInstanceType', `The following supplied instance types do not exist: [${name}]`);
}
