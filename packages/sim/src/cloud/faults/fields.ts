import { CodedError } from '@karpenter/core/errors';
import { nsToDurationMs, parseDuration } from '@karpenter/core/values';

interface WrongValue {
  readonly value: unknown;
  readonly expected: string;
  readonly advice: string;
}

/**
 * Reads the fields of one table of a file. Every accessor throws a CodedError with the path of the field if
 * the value has another type.
 */
export class Fields {
  readonly #table: Readonly<Record<string, unknown>>;
  readonly #file: string;
  readonly #path: string;

  constructor(value: unknown, file: string, path: string) {
    this.#file = file;
    this.#path = path;
    if (!isTable(value))
      throw this.#wrong('', { value, expected: 'a table of settings', advice: 'write keys and values' });
    this.#table = value;
  }

  get names(): readonly string[] {
    return Object.keys(this.#table);
  }

  has(name: string): boolean {
    return this.#table[name] !== undefined;
  }

  /** Throws if the table has any other field, so that a misspelled key does not go unnoticed. */
  allow(names: readonly string[]): void {
    const unknown = this.names.find((name) => !names.includes(name));
    if (unknown === undefined) return;
    throw new CodedError(
      'invalid-faults',
      `${this.#file}: ${this.#place(unknown)} is not known; use one of ${names.join(', ')}`,
      { details: { file: this.#file, field: this.#place(unknown) } },
    );
  }

  isText(name: string, text: string): boolean {
    // YAML reads a bare `off` as text, JSON users write it as one.
    return this.#table[name] === text;
  }

  text(name: string, fallback?: string): string {
    const value = this.#table[name] ?? fallback;
    if (typeof value === 'string' && value !== '') return value;
    throw this.#wrong(name, {
      value,
      expected: 'a text',
      advice: 'write a text such as ec2:CreateFleet or *',
    });
  }

  oneOf<Text extends string>(name: string, texts: readonly Text[], fallback: Text): Text {
    const value = this.#table[name] ?? fallback;
    const found = texts.find((text) => text === value);
    if (found !== undefined) return found;
    throw this.#wrong(name, { value, expected: `one of ${texts.join(', ')}`, advice: 'choose one of them' });
  }

  texts(name: string): readonly string[] {
    const value = this.#table[name];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    throw this.#wrong(name, {
      value,
      expected: 'a list of texts',
      advice: 'write a list such as [ec2:RunInstances]',
    });
  }

  number(name: string, fallback?: number): number {
    const value = this.#table[name] ?? fallback;
    if (typeof value === 'number' && value >= 0) return value;
    throw this.#wrong(name, { value, expected: 'a number', advice: 'write a number that is not negative' });
  }

  count(name: string, fallback?: number): number {
    const value = this.#table[name] ?? fallback;
    if (typeof value === 'number' && value >= 0 && (Number.isInteger(value) || value === fallback))
      return value;
    throw this.#wrong(name, { value, expected: 'a whole number', advice: 'write 0 or more' });
  }

  share(name: string, fallback: number): number {
    const value = this.#table[name] ?? fallback;
    if (typeof value === 'number' && value >= 0 && value <= 1) return value;
    throw this.#wrong(name, { value, expected: 'a share', advice: 'write a number from 0 to 1' });
  }

  /** Milliseconds. */
  duration(name: string, fallback?: number): number {
    const value = this.#table[name];
    if (value === undefined && fallback !== undefined) return fallback;
    const duration = typeof value === 'string' ? durationOf(value) : undefined;
    if (duration !== undefined && duration >= 0) return duration;
    throw this.#wrong(name, {
      value,
      expected: 'a duration',
      advice: 'write a duration such as 500ms, 30s or 2m',
    });
  }

  table(name: string): Fields {
    return new Fields(this.#table[name], this.#file, this.#place(name));
  }

  list(name: string): readonly Fields[] {
    const value = this.#table[name];
    if (!Array.isArray(value))
      throw this.#wrong(name, {
        value,
        expected: 'a list',
        advice: 'write a list with one entry for each fault',
      });
    return value.map((item, index) => new Fields(item, this.#file, `${this.#place(name)}[${index}]`));
  }

  #place(name: string): string {
    return [this.#path, name].filter((part) => part !== '').join('.');
  }

  #wrong(name: string, { value, expected, advice }: WrongValue): CodedError {
    const place = this.#place(name);
    const shown = value === undefined ? 'is missing and has to be' : `: ${JSON.stringify(value)} is not`;
    const subject = place === '' ? this.#file : `${this.#file}: ${place}`;
    const message = `${subject}${value === undefined ? ' ' : ''}${shown} ${expected}; ${advice}`;
    return new CodedError('invalid-faults', message, { details: { file: this.#file, field: place } });
  }
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function durationOf(text: string): number | undefined {
  try {
    return nsToDurationMs(parseDuration(text, 'duration'));
  } catch {
    return undefined;
  }
}
