import { CodedError } from '@karpenter/core/errors';

export type Table = Readonly<Record<string, unknown>>;

export function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads typed fields of one object of a file. Errors name the file and the field. */
export class EksctlFields {
  readonly #table: Table;
  readonly #file: string;
  readonly #place: string;

  constructor(table: Table, file: string, place: string) {
    this.#table = table;
    this.#file = file;
    this.#place = place;
  }

  get names(): readonly string[] {
    return Object.keys(this.#table).filter((name) => this.#table[name] !== null);
  }

  value(name: string): unknown {
    return this.#table[name] ?? undefined;
  }

  text(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'string') return value;
    if (typeof value === 'number') return String(value);
    throw this.#invalid(name, 'a text');
  }

  /** A whole number of at least zero. */
  count(name: string): number | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
    throw this.#invalid(name, 'a whole number of at least 0');
  }

  flag(name: string): boolean | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'boolean') return value;
    throw this.#invalid(name, 'true or false');
  }

  texts(name: string): readonly string[] {
    const value = this.value(name) ?? [];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    throw this.#invalid(name, 'a list of texts');
  }

  /** A map of scalars of any type, converted to strings. */
  map(name: string): Readonly<Record<string, string>> {
    const value = this.value(name) ?? {};
    if (isTable(value) && Object.values(value).every((item) => typeof item !== 'object'))
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, String(item)]));
    throw this.#invalid(name, 'an object of texts');
  }

  child(name: string): EksctlFields {
    const value = this.value(name) ?? {};
    if (isTable(value)) return new EksctlFields(value, this.#file, `${this.#place}.${name}`);
    throw this.#invalid(name, 'an object');
  }

  children(name: string): readonly EksctlFields[] {
    const value = this.value(name) ?? [];
    if (!Array.isArray(value)) throw this.#invalid(name, 'a list');
    return value.map((item, index) => {
      if (isTable(item)) return new EksctlFields(item, this.#file, `${this.#place}.${name}[${index}]`);
      throw this.#invalid(`${name}[${index}]`, 'an object');
    });
  }

  #invalid(name: string, expected: string): CodedError {
    return new CodedError(
      'invalid-object',
      `${this.#file} cannot be read as an eksctl file: ${this.#place}.${name} is not ${expected}; correct it`,
      { details: { file: this.#file } },
    );
  }
}
