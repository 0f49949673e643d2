/** Values of a template. A `Map` is a Go map, whose missing keys are empty; a record is a struct, whose fields must exist. */
export type GoValue =
  | string
  | number
  | boolean
  | null
  | Date
  | readonly GoValue[]
  | ReadonlyMap<string, GoValue>
  | GoStruct;

export interface GoStruct {
  readonly [field: string]: GoValue;
}

export function isList(value: GoValue): value is readonly GoValue[] {
  return Array.isArray(value);
}

export function isMap(value: GoValue): value is ReadonlyMap<string, GoValue> {
  return value instanceof Map;
}

export function isStruct(value: GoValue): value is GoStruct {
  return (
    typeof value === 'object' && value !== null && !isList(value) && !isMap(value) && !(value instanceof Date)
  );
}

/** Whether `if` and `with` take the value for true: everything but the zero value of its type. */
export function isTrue(value: GoValue): boolean {
  if (isList(value)) return value.length > 0;
  if (isMap(value)) return value.size > 0;
  return value !== null && value !== '' && value !== 0 && value !== false;
}

/** As fmt.Print writes a value. */
export function printed(value: GoValue): string {
  if (value === null) return '<no value>';
  if (isList(value)) return `[${value.map(printed).join(' ')}]`;
  if (isMap(value))
    return `map[${sortedEntries(value)
      .map(([key, each]) => `${key}:${printed(each)}`)
      .join(' ')}]`;
  if (value instanceof Date) return timeText(value);
  if (isStruct(value)) return `{${Object.values(value).map(printed).join(' ')}}`;
  return String(value);
}

/** As time.Time prints itself in UTC. */
function timeText(time: Date): string {
  if (time.getTime() === 0) return '0001-01-01 00:00:00 +0000 UTC';
  const [date = '', rest = ''] = time.toISOString().split('T');
  return `${date} ${rest.slice(0, 8)} +0000 UTC`;
}

export function sortedEntries(map: ReadonlyMap<string, GoValue>): readonly (readonly [string, GoValue])[] {
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** What `toJson` writes. */
export function jsonOf(value: GoValue): unknown {
  if (isList(value)) return value.map(jsonOf);
  if (isMap(value)) return Object.fromEntries(sortedEntries(value).map(([key, each]) => [key, jsonOf(each)]));
  if (value instanceof Date) return value.toISOString().replace(/\.000Z$/, 'Z');
  if (isStruct(value))
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, jsonOf(each)]));
  return value;
}
