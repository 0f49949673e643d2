import { isJsonArray, isJsonObject, type Json, type JsonSchema } from '@karpenter/core/schema';
import { parseYaml } from '@karpenter/kube/yaml';

/** A field of an object to set. */
export interface FieldAssignment {
  /** Such as `limits.cpu` or `disruption.budgets[0].nodes`. */
  readonly path: string;
  readonly text: string;
}

/** Thrown for a path that the schema does not have, with the names that it has at that place. */
export class UnknownField extends Error {
  readonly field: string;
  readonly known: readonly string[];

  constructor(field: string, known: readonly string[]) {
    super(`unknown field ${field}`);
    this.field = field;
    this.known = known;
  }
}

/**
 * The value with one field set; `null` removes the field. The schema tells where a key ends, so that keys of maps, such
 * as labels and resource names, may contain dots, and which type the text has.
 */
export function assigned(
  value: Json | undefined,
  schema: JsonSchema,
  assignment: FieldAssignment,
): Json | undefined {
  const { path, text } = assignment;
  if (path === '') return parsed(text, schema);
  if (schema.type === 'array') return assignedItem(value, schema, assignment);
  const { additionalProperties } = schema;
  const values = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const [key, rest] = values === undefined ? headOf(path) : [path, ''];
  const properties = schema.properties ?? {};
  const inner = values ?? (Object.hasOwn(properties, key) ? properties[key] : undefined);
  if (inner === undefined) throw new UnknownField(key, Object.keys(properties));
  const object = isJsonObject(value) ? value : {};
  const { [key]: before, ...others } = object;
  const after = assigned(before, inner, { path: rest, text });
  return after === undefined ? others : { ...object, [key]: after };
}

function assignedItem(value: Json | undefined, schema: JsonSchema, { path, text }: FieldAssignment): Json {
  const list = isJsonArray(value) ? value : [];
  const [, digits = '', rest = ''] = /^\[(\d+)\]\.?(.*)$/s.exec(path) ?? [];
  const index = Number(digits);
  if (digits === '' || index > list.length)
    throw new UnknownField(/^\[[^\]]*\]/.exec(path)?.[0] ?? headOf(path)[0], [
      ...list.map((_, each) => `[${each}]`),
      `[${list.length}]`,
    ]);
  const item = assigned(list[index], schema.items ?? {}, { path: rest, text });
  return item === undefined ? list.toSpliced(index, 1) : list.toSpliced(index, 1, item);
}

/** The first member name of a path and what follows it. */
function headOf(path: string): readonly [string, string] {
  const [, key = path, rest = ''] = /^([^.[]+)\.?(.*)$/s.exec(path) ?? [];
  return [key, rest];
}

/** Text that does not parse stays text, so that admission reports the type that the field must have. */
function parsed(text: string, { type }: JsonSchema): Json | undefined {
  if (text === 'null') return undefined;
  // Quantities have no type: they are numbers or strings, and any number can be written as a string.
  if (type === undefined || type === 'string') return text;
  try {
    return (parseYaml(text) as Json) ?? text;
  } catch {
    return text;
  }
}
