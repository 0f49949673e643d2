import {
  agree,
  type LabelKey,
  type Requirement,
  type RequirementItem,
  Requirements,
  requirementFromItem,
  type Vocabulary,
} from '../../requirements/index.ts';

/**
 * What instance types say of labels, kept label by label and read when somebody first asks: a plan names a
 * handful of the two dozen labels of a thousand types. A type is known by its row.
 */
export class TypeLabels {
  readonly #vocabulary: Vocabulary;
  readonly #rows: (readonly RequirementItem[])[] = [];
  readonly #columns = new Map<LabelKey, Column>();
  readonly #layouts: Layout[] = [];
  readonly #layoutOf: Layout[] = [];

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** The row of a type that says this. */
  add(items: readonly RequirementItem[]): number {
    const last = this.#layoutOf.at(-1);
    const layout = last !== undefined && isLaidOut(last, items) ? last : this.#layoutFor(items);
    this.#layoutOf.push(layout);
    return this.#rows.push(items) - 1;
  }

  find(row: number, key: LabelKey): Requirement | undefined {
    const { codes, distinct } = this.#column(key);
    return distinct[codes[row] ?? 0];
  }

  /** Everything a type says, for those who must look at all of it. */
  all(row: number): Requirements {
    return Requirements.fromItems(this.#vocabulary, this.#rows[row] ?? []);
  }

  /** Whether a type and the requirements agree on every label that both speak of. */
  intersects(row: number, requirements: Requirements): boolean {
    return requirements.entries.every((wanted) => {
      const said = this.find(row, wanted.key);
      return said === undefined || agree(said, wanted);
    });
  }

  /**
   * As `intersects` for many types at once, 1 where they agree. What `met` says of a label in the same words
   * need not be looked at again.
   */
  meeting(rows: Uint32Array, requirements: Requirements, met = Requirements.none): Uint8Array {
    const verdicts = new Uint8Array(rows.length).fill(1);
    for (const wanted of requirements.entries) {
      if (met.find(wanted.key) !== wanted) strike(verdicts, rows, this.#column(wanted.key), wanted);
    }
    return verdicts;
  }

  /** Numbers the classes of types anew, so that those of one class say the same of the label too. */
  tellApart(rows: Uint32Array, classes: Uint32Array, key: LabelKey): void {
    const { codes, distinct } = this.#column(key);
    if (distinct.length === 1) return;
    const numbers = new Map<number, number>();
    for (let i = 0; i < rows.length; i++) {
      const name = (classes[i] ?? 0) * distinct.length + (codes[rows[i] ?? 0] ?? 0);
      const number = numbers.get(name) ?? numbers.size;
      if (number === numbers.size) numbers.set(name, number);
      classes[i] = number;
    }
  }

  #layoutFor(items: readonly RequirementItem[]): Layout {
    const known = this.#layouts.find((layout) => isLaidOut(layout, items));
    if (known !== undefined) return known;
    const names = items.map(({ key }) => key);
    const made = { names, keys: names.map((name) => this.#vocabulary.key(name)) };
    this.#layouts.push(made);
    return made;
  }

  #column(key: LabelKey): Column {
    const known = this.#columns.get(key);
    if (known !== undefined && known.codes.length === this.#rows.length) return known;
    const made = this.#readColumn(key);
    this.#columns.set(key, made);
    return made;
  }

  #readColumn(key: LabelKey): Column {
    const codes = new Uint32Array(this.#rows.length);
    const column: Column = { codes, distinct: [undefined], codeOfListed: new Map() };
    if (!this.#layouts.some(({ keys }) => keys.includes(key))) return column;
    let layout: Layout | undefined;
    let places: readonly number[] = [];
    for (let row = 0; row < codes.length; row++) {
      if (this.#layoutOf[row] !== layout) {
        layout = this.#layoutOf[row];
        places = placesOf(layout, key);
      }
      if (places.length > 0) codes[row] = this.#code(column, this.#rows[row] ?? [], places);
    }
    return column;
  }

  #code(column: Column, items: readonly RequirementItem[], places: readonly number[]): number {
    const listed = places.length === 1 ? listedValues(items[places[0] ?? 0]) : undefined;
    const known = listed === undefined ? undefined : column.codeOfListed.get(listed);
    if (known !== undefined) return known;
    const code = column.distinct.push(this.#read(items, places)) - 1;
    if (listed !== undefined) column.codeOfListed.set(listed, code);
    return code;
  }

  #read(items: readonly RequirementItem[], places: readonly number[]): Requirement | undefined {
    return places
      .flatMap((place) => items[place] ?? [])
      .map((item) => requirementFromItem(this.#vocabulary, item))
      .reduce((all, next) => all.and(next));
  }
}

/** The labels that a type speaks of, in their order: nearly all types speak of the same. */
interface Layout {
  readonly names: readonly string[];
  readonly keys: readonly LabelKey[];
}

/** What is said of one label, row by row as an index into what is said at all; 0 stands for nothing. */
interface Column {
  readonly codes: Uint32Array;
  readonly distinct: (Requirement | undefined)[];
  /** By the values of a plain list. */
  readonly codeOfListed: Map<string, number>;
}

function isLaidOut({ names }: Layout, items: readonly RequirementItem[]): boolean {
  if (names.length !== items.length) return false;
  for (let i = 0; i < names.length; i++) if (items[i]?.key !== names[i]) return false;
  return true;
}

/** A label may be written twice, under two spellings. */
function placesOf(layout: Layout | undefined, key: LabelKey): readonly number[] {
  return (layout?.keys ?? []).flatMap((known, place) => (known === key ? [place] : []));
}

/** The values in one text, of a plain list of them. */
function listedValues(item: RequirementItem | undefined): string | undefined {
  if (item?.operator !== 'In' || item.values === undefined || item.minValues !== undefined) return undefined;
  return item.values.length === 1 ? item.values[0] : item.values.join('\n');
}

function strike(
  verdicts: Uint8Array,
  rows: Uint32Array,
  { codes, distinct }: Column,
  wanted: Requirement,
): void {
  if (distinct.length === 1) return;
  const agrees = Uint8Array.from(distinct, (said) => (said === undefined || agree(said, wanted) ? 1 : 0));
  for (let i = 0; i < rows.length; i++) {
    if (agrees[codes[rows[i] ?? 0] ?? 0] === 0) verdicts[i] = 0;
  }
}
