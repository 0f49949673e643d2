import { isJsonArray, isJsonObject, type Json } from '@karpenter/core/schema';
import type { Definitions } from '../definitions/definitions.ts';
import type { GoDefinition, GoField, GoType } from '../definitions/go-type.ts';
import { defaultValue } from '../definitions/schema.ts';
import { type Draft, fill } from '../draft.ts';
import { computedDefaults } from './computed-defaults.ts';
import { constantDefaults, zeroDefaults } from './constant-defaults.ts';

/** Fills in the defaults of a decoded object, from the whole to the parts. */
export function applyDefinitionDefaults(definitions: Definitions, name: string, object: Draft): void {
  const definition = definitions.get(name);
  defaultStruct(definition, object);
  for (const { name: field, type } of definition.fields) {
    const value = object[field];
    if (value !== undefined && mayHoldDefaults(type)) defaultParts(definitions, type, value);
  }
}

function defaultStruct({ name, fields }: GoDefinition, object: Draft): void {
  for (const field of fields) {
    if (field.default !== undefined && saysMore(field)) fill(object, { [field.name]: defaultValue(field) });
  }
  for (const [field, value] of Object.entries(zeroDefaults[name] ?? {})) {
    if (object[field] === 0) delete object[field];
    fill(object, { [field]: value });
  }
  fill(object, constantDefaults[name] ?? {});
  computedDefaults[name]?.(object);
}

/** An empty default of what is no pointer changes nothing. */
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
