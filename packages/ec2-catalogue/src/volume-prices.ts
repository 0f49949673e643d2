import { estimatedVolumeRegions, regionVolumePrices, volumePrices } from './facts/volume-prices.ts';
import { rows } from './notation/table.ts';
import { homeRegion } from './regional-prices.ts';

export { publicAddressPrice } from './facts/volume-prices.ts';

/** An EBS volume. Absent IOPS and throughput are those that come with the type. */
interface PricedVolume {
  readonly type: string;
  readonly gib: number;
  readonly iops?: number | undefined;
  /** In MiB/s. */
  readonly throughput?: number | undefined;
}

/** Prices of a volume type for a month. */
interface VolumeRates {
  readonly perGib: number;
  readonly perIops: number;
  readonly freeIops: number;
  readonly perMib: number;
  readonly freeMib: number;
}

const hoursPerMonth = 730;

const atHome = new Map(rows(volumePrices).map(([type = '', ...cells]) => [type, ratesOf(cells.map(Number))]));
const recorded = new Map(
  rows(regionVolumePrices).map(([region = '', ...cells]) => [region, cells.map(Number)]),
);
const like = new Map(
  rows(estimatedVolumeRegions).map(([region = '', other = '', factor]) => [
    region,
    { other, factor: Number(factor) },
  ]),
);

/** Regions with prices of volumes of their own, recorded or estimated. */
export const volumeRegions: readonly string[] = [homeRegion, ...recorded.keys(), ...like.keys()];

/**
 * Returns the price of an hour in a region, in its currency; 0 for an unknown type. An unknown region has the prices
 * of us-east-1.
 */
export function volumePrice(volume: PricedVolume, region: string): number {
  const { other, factor } = like.get(region) ?? { other: region, factor: 1 };
  const rates = regionalRates(volume.type, other);
  return rates === undefined ? 0 : (monthlyPrice(volume, rates) * factor) / hoursPerMonth;
}

function monthlyPrice({ gib, iops = 0, throughput = 0 }: PricedVolume, rates: VolumeRates): number {
  return (
    gib * rates.perGib +
    Math.max(0, iops - rates.freeIops) * rates.perIops +
    Math.max(0, throughput - rates.freeMib) * rates.perMib
  );
}

function ratesOf([perGib = 0, perIops = 0, freeIops = 0, perMib = 0, freeMib = 0]: number[]): VolumeRates {
  return { perGib, perIops, freeIops, perMib, freeMib };
}

/**
 * The price list has no throughput of gp3 and no magnetic volumes by region: they follow the IOPS of gp3 and the
 * storage of gp2.
 */
function regionalRates(type: string, region: string): VolumeRates | undefined {
  const home = atHome.get(type);
  const listed = recorded.get(region);
  if (home === undefined || listed === undefined) return home;
  const [gp3 = 0, gp2 = 0, io = 0, st1 = 0, sc1 = 0, gp3Iops = 0, ioIops = 0] = listed;
  const changes: Readonly<Record<string, Partial<VolumeRates>>> = {
    gp3: {
      perGib: gp3,
      perIops: gp3Iops,
      perMib: (home.perMib * gp3Iops) / (atHome.get('gp3')?.perIops ?? 1),
    },
    gp2: { perGib: gp2 },
    io1: { perGib: io, perIops: ioIops },
    io2: { perGib: io, perIops: ioIops },
    st1: { perGib: st1 },
    sc1: { perGib: sc1 },
    standard: { perGib: (home.perGib * gp2) / (atHome.get('gp2')?.perGib ?? 1) },
  };
  return { ...home, ...changes[type] };
}
