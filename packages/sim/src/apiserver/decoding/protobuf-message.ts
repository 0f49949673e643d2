import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import { ProtobufProblem, wireFields } from './protobuf-reader.ts';
import { type MessageField, type MessageType, messageType } from './protobuf-types.ts';

const text = new TextDecoder();
type Draft = Record<string, Json>;

/** Decodes a message to the JSON that its Go type would encode to. */
export function decodeMessage(type: MessageType, bytes: Uint8Array): JsonObject {
  const object: Draft = {};
  for (const { number, value } of wireFields(bytes)) {
    const field = type.get(number);
    // Unknown fields, from a newer client, are skipped, as protobuf requires.
    if (field !== undefined) addField(object, field, value);
  }
  return object;
}

function addField(object: Draft, field: MessageField, wire: number | Uint8Array): void {
  const current = object[field.name];
  if (field.kind === 'list') {
    const item = decodeValue(field.type, wire) ?? null;
    object[field.name] = [...(isJsonArray(current) ? current : []), item];
  } else if (field.kind !== 'one') {
    const entry = mapEntry(field, bytesOf(wire));
    object[field.name] = { ...(isJsonObject(current) ? current : {}), ...entry };
  } else addSingle(object, field, decodeValue(field.type, wire));
}

function addSingle(object: Draft, field: MessageField, value: Json | undefined): void {
  if (value === undefined || (field.omitsZero && isZero(value))) return;
  if (field.name !== '') object[field.name] = value;
  else if (isJsonObject(value)) Object.assign(object, value);
}

function isZero(value: Json): boolean {
  return value === '' || value === 0 || value === false;
}

function mapEntry(field: MessageField, bytes: Uint8Array): JsonObject {
  let name = '';
  let value: Json | undefined;
  for (const { number, value: wire } of wireFields(bytes)) {
    if (number === 1) name = text.decode(bytesOf(wire));
    else value = field.kind === 'map' ? decodeValue(field.type, wire) : listOf(field.type, bytesOf(wire));
  }
  return Object.fromEntries([[name, value ?? (field.type === 's' ? '' : {})]]);
}

/** A list as a map value is wrapped in a message of its own. */
function listOf(type: string, bytes: Uint8Array): readonly Json[] {
  return [...wireFields(bytes)].map(({ value }) => decodeValue(type, value) ?? null);
}

function bytesOf(wire: number | Uint8Array): Uint8Array {
  if (typeof wire === 'number') throw new ProtobufProblem('proto: wrong wireType = 0');
  return wire;
}

function numberOf(wire: number | Uint8Array): number {
  if (typeof wire !== 'number') throw new ProtobufProblem('proto: wrong wireType = 2');
  return wire;
}

/** Undefined for an unset time. */
function decodeValue(type: string, wire: number | Uint8Array): Json | undefined {
  switch (type) {
    case 's':
      return text.decode(bytesOf(wire));
    case 'i':
      return numberOf(wire);
    case 'b':
      return numberOf(wire) !== 0;
    case 'd':
      return doubleOf(bytesOf(wire));
    case 'B':
      return Buffer.from(bytesOf(wire)).toString('base64');
    default:
      return decodeStruct(type, bytesOf(wire));
  }
}

function doubleOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return bytes.length === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true);
}

function decodeStruct(type: string, bytes: Uint8Array): Json | undefined {
  switch (type) {
    case 'Quantity':
      return text.decode(fieldsOf(bytes).bytes(1));
    case 'IntOrString':
      return intOrString(bytes);
    case 'Time':
      return timeText(bytes, 0);
    case 'MicroTime':
      return timeText(bytes, 6);
    case 'Raw':
      return rawJson(fieldsOf(bytes).bytes(1));
    default:
      return decodeMessage(messageType(type) ?? new Map(), bytes);
  }
}

function fieldsOf(bytes: Uint8Array) {
  const fields = new Map([...wireFields(bytes)].map(({ number, value }) => [number, value]));
  return {
    bytes: (number: number) => bytesOf(fields.get(number) ?? new Uint8Array()),
    integer: (number: number) => numberOf(fields.get(number) ?? 0),
  };
}

function intOrString(bytes: Uint8Array): Json {
  const fields = fieldsOf(bytes);
  return fields.integer(1) === 1 ? text.decode(fields.bytes(3)) : fields.integer(2);
}

function timeText(bytes: Uint8Array, fractionDigits: number): string | undefined {
  if (bytes.length === 0) return undefined;
  const fields = fieldsOf(bytes);
  const seconds = new Date(fields.integer(1) * 1000).toISOString().slice(0, -'.000Z'.length);
  const nanoseconds = String(fields.integer(2)).padStart(9, '0');
  return fractionDigits === 0 ? `${seconds}Z` : `${seconds}.${nanoseconds.slice(0, fractionDigits)}Z`;
}

function rawJson(bytes: Uint8Array): Json | undefined {
  if (bytes.length === 0) return undefined;
  try {
    const value: Json = JSON.parse(text.decode(bytes));
    return value;
  } catch {
    throw new ProtobufProblem('raw extension is not JSON');
  }
}
