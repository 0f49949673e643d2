/** Integers are bigints and floats numbers, so that `1` and `1.0` stay apart when they are written again. */
export type TomlValue = string | bigint | number | boolean | TomlDate | TomlArray | TomlTable;
export type TomlArray = TomlValue[];
export type TomlTable = Map<string, TomlValue>;

/** A date or time, kept as it was written: nothing here reckons with it. */
export class TomlDate {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function isTable(value: TomlValue | undefined): value is TomlTable {
  return value instanceof Map;
}

/** What a value is called in messages. */
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
