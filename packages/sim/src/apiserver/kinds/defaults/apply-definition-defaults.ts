import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import type { Definitions } from '../definitions/definitions.ts';
import type { GoDefinition, GoField, GoType } from '../definitions/go-type.ts';
import { defaultValue } from '../definitions/schema.ts';
import { type Draft, fill } from '../draft.ts';
import { computedDefaults } from './computed-defaults.ts';
import { constantDefaults, zeroDefaults } from './constant-defaults.ts';

/** The defaults of a definition, computed once, because most fields have none and every write needs them. */
interface Plan {
  readonly zeros: readonly string[];
  readonly constants: Readonly<Record<string, Json>>;
  readonly compute: ((object: Draft) => void) | undefined;
  /** Fields whose values may have defaults of their own. */
  readonly parts: readonly GoField[];
}

const plans = new WeakMap<GoDefinition, Plan>();

/**
 * Sets the defaults of a decoded object, from the whole to its parts. Parts that are shared with `known`
 * already have theirs.
 */
export function applyDefinitionDefaults(
  definitions: Definitions,
  name: string,
  object: Draft,
  known: JsonObject = {},
): void {
  const { zeros, constants, compute, parts } = planOf(definitions.get(name));
  for (const field of zeros) if (object[field] === 0) delete object[field];
  fill(object, constants);
  compute?.(object);
  for (const { name: field, type } of parts) {
    const value = object[field];
    if (value !== undefined && value !== known[field]) defaultParts(definitions, type, value);
  }
}

function planOf(definition: GoDefinition): Plan {
  const known = plans.get(definition);
  if (known !== undefined) return known;
  const { name, fields } = definition;
  const constants: Draft = {};
  for (const field of fields) {
    if (field.default !== undefined && saysMore(field)) constants[field.name] = defaultValue(field);
  }
  fill(constants, zeroDefaults[name] ?? {});
  fill(constants, constantDefaults[name] ?? {});
  const plan: Plan = {
    zeros: Object.keys(zeroDefaults[name] ?? {}),
    constants,
    compute: computedDefaults[name],
    parts: fields.filter(({ type }) => mayHoldDefaults(type)),
  };
  plans.set(definition, plan);
  return plan;
}

/** An empty default of a non-pointer field changes nothing. */
function saysMore({ type, default: text }: GoField): boolean {
  return type.isPointer || (text !== '' && text !== '0' && text !== 'false');
}

function mayHoldDefaults({ shape, element }: GoType): boolean {
  return shape === 'struct' || (element !== undefined && mayHoldDefaults(element));
}

function defaultParts(definitions: Definitions, type: GoType, value: Json): void {
  const { element, definition } = type;
  if (type.shape === 'struct' && definition !== undefined && isJsonObject(value)) {
    applyDefinitionDefaults(definitions, definition, value);
  } else if (element && isJsonArray(value)) {
    for (const item of value) defaultParts(definitions, element, item);
  } else if (element && isJsonObject(value)) {
    for (const item of Object.values(value)) defaultParts(definitions, element, item);
  }
}
