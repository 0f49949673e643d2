/** Integers are bigints and floats are numbers, so that `1` and `1.0` are written back as they were. */
export type TomlValue = string | bigint | number | boolean | TomlDate | TomlArray | TomlTable;
type TomlArray = TomlValue[];
export type TomlTable = Map<string, TomlValue>;

/** A date or time, kept as text because nothing here calculates with it. */
export class TomlDate {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function isTable(value: TomlValue | undefined): value is TomlTable {
  return value instanceof Map;
}

/** Name of a value's type in messages. */
export function tomlTypeOf(value: TomlValue): string {
  if (isTable(value)) return 'a table';
  if (Array.isArray(value)) return 'an array';
  if (value instanceof TomlDate) return 'a date';
  const names = {
    string: 'a string',
    bigint: 'an integer',
    number: 'a float',
    boolean: 'a boolean',
  } as const;
  return names[typeof value as keyof typeof names];
}
