import { volumePrices } from './facts/volume-prices.ts';
import { rows } from './notation/table.ts';

export { publicAddressPrice } from './facts/volume-prices.ts';

/** An EBS volume. Absent IOPS and throughput are those that come with the type. */
interface PricedVolume {
  readonly type: string;
  readonly gib: number;
  readonly iops?: number | undefined;
  /** In MiB/s. */
  readonly throughput?: number | undefined;
}

const hoursPerMonth = 730;

const byType = new Map(rows(volumePrices).map(([type = '', ...cells]) => [type, cells.map(Number)]));

/** Returns dollars per hour in us-east-1; 0 for an unknown type. */
export function volumePrice({ type, gib, iops = 0, throughput = 0 }: PricedVolume): number {
  const [perGib = 0, perIops = 0, freeIops = 0, perMib = 0, freeMib = 0] = byType.get(type) ?? [];
  const monthly =
    gib * perGib + Math.max(0, iops - freeIops) * perIops + Math.max(0, throughput - freeMib) * perMib;
  return monthly / hoursPerMonth;
}
