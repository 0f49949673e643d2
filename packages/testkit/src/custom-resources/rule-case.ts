import type { Json, JsonObject } from '@karpenter/core/schema';
import { type PropertyPath, withValueAt } from './json-path.ts';

/** How to violate one validation rule of a schema, and the error that the API server returns. */
export interface RuleCase {
  readonly kind: string;
  /** Place of the rule in the schema. */
  readonly path: string;
  readonly message: string;
  readonly sample: JsonObject;
  readonly change: (sample: JsonObject) => JsonObject;
  /** The rule compares with the stored object. */
  readonly update?: true;
  /** The field that the cause names. */
  readonly field: string;
}

export const set =
  (path: PropertyPath, value: Json | undefined) =>
  (object: JsonObject): JsonObject =>
    withValueAt(object, path, value);

export const bothOf =
  (...changes: readonly ((object: JsonObject) => JsonObject)[]) =>
  (object: JsonObject): JsonObject =>
    changes.reduce((changed, change) => change(changed), object);

export type Breakage = readonly [message: string, change: (sample: JsonObject) => JsonObject];

export function casesAt(
  sample: JsonObject,
  path: string,
  breakages: readonly Breakage[],
  options: { readonly update?: true; readonly field?: string } = {},
): readonly RuleCase[] {
  const { field = path, ...rest } = options;
  return breakages.map(([message, change]) => ({
    kind: String(sample['kind']),
    path,
    message,
    sample,
    change,
    field,
    ...rest,
  }));
}
