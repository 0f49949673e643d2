import { rows, share, words } from '../notation/table.ts';

/** One family of a table whose rows determine all sizes. */
export interface RegularRow {
  readonly family: string;
  readonly gibPerVcpu: number;
  readonly processor: string;
  readonly sizes: readonly string[];
  readonly metals: readonly string[];
  readonly ladder: string;
  readonly storagePerVcpu: number;
  readonly efa: readonly string[];
  readonly price: string;
}

export function regularRows(table: string): readonly RegularRow[] {
  return rows(table).flatMap(familiesOfRow);
}

function familiesOfRow(cells: readonly string[]): readonly RegularRow[] {
  const [families, memory, processors, sizes, metals, ladder, storage, efa, prices] = cells.map((cell) =>
    words(cell),
  );
  return (families ?? []).map((family, index) => ({
    family,
    gibPerVcpu: Number(share(memory ?? [], index)),
    processor: share(processors ?? [], index),
    sizes: sizes ?? [],
    metals: metals ?? [],
    ladder: ladder?.[0] ?? '',
    storagePerVcpu: Number(storage?.[0] ?? 0),
    efa: efa ?? [],
    price: share(prices ?? [], index),
  }));
}
