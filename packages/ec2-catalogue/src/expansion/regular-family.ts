import { ebsBandwidths } from '../facts/ebs-bandwidth.ts';
import * as exceptions from '../facts/exceptions.ts';
import { networkBandwidths } from '../facts/network-bandwidth.ts';
import { networkLadders } from '../facts/network-ladders.ts';
import { type BySize, bySize, numbersBySize } from '../notation/by-size.ts';
import { familyTable } from '../notation/family-table.ts';
import { type Interfaces, interfaces } from '../notation/interfaces.ts';
import { type Ladder, ladder } from '../notation/ladder.ts';
import { type Processor, processor } from '../notation/processor.ts';
import type { Size } from '../notation/size.ts';
import { regularPrices } from './regular-price.ts';
import type { RegularRow } from './regular-row.ts';

const interfacesBySize = (cell: string): BySize<Interfaces> => bySize(cell, interfaces);

const ladders = familyTable(networkLadders, interfacesBySize);
const ebs = familyTable(ebsBandwidths, ladder);
const network = familyTable(networkBandwidths, ladder);
const clocks = familyTable(exceptions.clockExceptions, numbersBySize);
const memories = familyTable(exceptions.memoryExceptions, numbersBySize);
const storages = familyTable(exceptions.storageExceptions, numbersBySize);
const networks = familyTable(exceptions.networkExceptions, interfacesBySize);
const efas = familyTable(exceptions.efaExceptions, numbersBySize);

/** A row with the values of the other tables for its family, exceptions before rules. */
export interface RegularFamily {
  readonly row: RegularRow;
  readonly processor: Processor;
  readonly clocks: BySize<number> | undefined;
  readonly memories: BySize<number> | undefined;
  readonly storages: BySize<number> | undefined;
  readonly interfaces: readonly (BySize<Interfaces> | undefined)[];
  readonly efas: readonly (BySize<number> | undefined)[];
  readonly ebs: Ladder | undefined;
  readonly network: Ladder | undefined;
  readonly price: (size: Size) => number | undefined;
}

export function regularFamily(row: RegularRow): RegularFamily {
  const { family } = row;
  return {
    row,
    processor: processor(row.processor),
    clocks: clocks(family),
    memories: memories(family),
    storages: storages(family),
    interfaces: [networks(family), ladders(row.ladder)],
    efas: [efas(family), efaBySize(row.efa)],
    ebs: ebs(family),
    network: network(family),
    price: regularPrices(family, row.price),
  };
}

/** Parses EFA counts: `48:2` gives 48xlarge two, `48` gives it one. */
function efaBySize(list: readonly string[]): BySize<number> {
  return new Map(
    list.map((word) => {
      const [code = '', number = '1'] = word.split(':');
      return [code, Number(number)];
    }),
  );
}
