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
 * The requirements of all instance types, stored by label and compiled when a label is first read: a plan
 * uses a handful of the two dozen labels of a thousand types. A row is a type, a column a label.
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

  /** Adds a type and returns its row. */
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

  /** All requirements of a type, compiled again by each call. */
  all(row: number): Requirements {
    return Requirements.fromItems(this.#vocabulary, this.#rows[row] ?? []);
  }

  /** Whether the requirements intersect those of a type in every label that both define. */
  intersects(row: number, requirements: Requirements): boolean {
    return requirements.entries.every((required) => {
      const own = this.find(row, required.key);
      return own === undefined || agree(own, required);
    });
  }

  /**
   * As `intersects` for many types at once, with 1 where they intersect. Requirements that are the same
   * objects in `met` are known to be satisfied and are skipped.
   */
  meeting(rows: Uint32Array, requirements: Requirements, met = Requirements.none): Uint8Array {
    const verdicts = new Uint8Array(rows.length).fill(1);
    for (const required of requirements.entries) {
      if (met.find(required.key) !== required)
        exclude(verdicts, rows, { column: this.#column(required.key), required });
    }
    return verdicts;
  }

  /** Renumbers the classes of types in place, so that types of one class are equal in the label too. */
  distinguish(rows: Uint32Array, classes: Uint32Array, key: LabelKey): void {
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
    // Types that were added since make a column outdated.
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

/** The labels that a type defines, in their order; nearly all types share one layout. */
interface Layout {
  readonly names: readonly string[];
  readonly keys: readonly LabelKey[];
}

/**
 * The requirements on one label: for each row an index into the distinct ones; 0 if the type does not define
 * it.
 */
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

/** A type may define a label twice, under two spellings of its key. */
function placesOf(layout: Layout | undefined, key: LabelKey): readonly number[] {
  return (layout?.keys ?? []).flatMap((known, place) => (known === key ? [place] : []));
}

/**
 * The values of a plain `In` list as one text, which is how equal columns are found without compiling them.
 */
function listedValues(item: RequirementItem | undefined): string | undefined {
  if (item?.operator !== 'In' || item.values === undefined || item.minValues !== undefined) return undefined;
  return item.values.length === 1 ? item.values[0] : item.values.join('\n');
}

interface Exclusion {
  readonly column: Column;
  readonly required: Requirement;
}

/** Sets the verdict of types that do not agree with the requirement to 0. */
function exclude(
  verdicts: Uint8Array,
  rows: Uint32Array,
  { column: { codes, distinct }, required }: Exclusion,
): void {
  if (distinct.length === 1) return;
  const agrees = Uint8Array.from(distinct, (own) => (own === undefined || agree(own, required) ? 1 : 0));
  for (let i = 0; i < rows.length; i++) {
    if (agrees[codes[rows[i] ?? 0] ?? 0] === 0) verdicts[i] = 0;
  }
}
