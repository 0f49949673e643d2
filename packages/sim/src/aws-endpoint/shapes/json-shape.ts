import { Refusal } from '../../cloud/index.ts';
import { dateFrom } from './scalars.ts';
import { fieldsOf, traitText, type WireShape } from './shape.ts';

/** The SDK's schema number for timestamps in ISO 8601. */
const dateTimeText = 5;

/** Converts the output of an operation to JSON. Timestamps are seconds since 1970 unless the schema says otherwise. */
export function toJson(shape: WireShape, value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  if (shape.isStructSchema()) return structJson(shape, value);
  if (shape.isListSchema())
    return Array.isArray(value) ? value.map((each) => toJson(shape.getValueSchema(), each)) : undefined;
  if (shape.isMapSchema())
    return Object.fromEntries(
      [...fieldsOf(value)].map(([key, each]) => [key, toJson(shape.getValueSchema(), each)]),
    );
  if (value instanceof Date)
    return shape.getSchema() === dateTimeText ? value.toISOString() : value.getTime() / 1_000;
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

/** Converts JSON to the input of an operation, with timestamps as dates. Like AWS, ignores unknown members. */
export function fromJson(shape: WireShape, value: unknown, name = 'the request'): unknown {
  if (value === undefined || value === null) return undefined;
  if (shape.isStructSchema()) return structFrom(shape, value, name);
  if (shape.isListSchema()) {
    if (!Array.isArray(value)) throw unexpected(name, 'a list');
    return value.map((each) => fromJson(shape.getValueSchema(), each, name));
  }
  if (shape.isMapSchema())
    return Object.fromEntries(
      [...objectFields(value, name)].map(([key, each]) => [
        key,
        fromJson(shape.getValueSchema(), each, name),
      ]),
    );
  if (shape.isTimestampSchema()) return dateFrom(value, name);
  return scalar(shape, value, name);
}

/** The name of a member in JSON. */
function jsonName(shape: WireShape, member: string): string {
  return traitText(shape, 'jsonName') ?? member;
}

function structJson(shape: WireShape, value: unknown): Record<string, unknown> {
  const fields = fieldsOf(value);
  const members: [string, unknown][] = [];
  for (const [member, target] of shape.structIterator()) {
    const json = toJson(target, fields.get(member));
    if (json !== undefined) members.push([jsonName(target, member), json]);
  }
  return Object.fromEntries(members);
}

function structFrom(shape: WireShape, value: unknown, name: string): Record<string, unknown> {
  const fields = objectFields(value, name);
  const members: [string, unknown][] = [];
  for (const [member, target] of shape.structIterator()) {
    const found = fromJson(target, fields.get(jsonName(target, member)), member);
    if (found !== undefined) members.push([member, found]);
  }
  return Object.fromEntries(members);
}

function scalar(shape: WireShape, value: unknown, name: string): unknown {
  if (shape.isBlobSchema()) return Buffer.from(text(value, name), 'base64');
  if (shape.isStringSchema()) return text(value, name);
  if (shape.isBooleanSchema() && typeof value !== 'boolean') throw unexpected(name, 'true or false');
  if (shape.isNumericSchema() && typeof value !== 'number') throw unexpected(name, 'a number');
  return value;
}

function text(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw unexpected(name, 'a text');
}

function objectFields(value: unknown, name: string): ReadonlyMap<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return fieldsOf(value);
  throw unexpected(name, 'an object');
}

function unexpected(name: string, expected: string): Refusal {
  return new Refusal('SerializationException', `${name} is not ${expected}`);
}
