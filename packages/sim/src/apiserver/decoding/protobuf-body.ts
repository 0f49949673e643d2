import type { Json, JsonObject } from '@karpenter/core/schema';
import { StatusError } from '../status/status-error.ts';
import { unrecognizedBody } from './body-refusal.ts';
import { decodeMessage } from './protobuf-message.ts';
import { ProtobufProblem, wireFields } from './protobuf-reader.ts';
import { type MessageType, messageType } from './protobuf-types.ts';

const prefix = [0x6b, 0x38, 0x73, 0x00];

/**
 * Decodes Kubernetes' protobuf encoding: a magic prefix of four bytes, then an envelope with the kind and the
 * object. `kind` is the kind of the path, for error messages.
 */
export function decodeProtobuf(body: Uint8Array, kind: string): JsonObject {
  if (prefix.some((byte, index) => body[index] !== byte)) {
    const expected = `expected prefix [${prefix.join(' ')}]`;
    throw unrecognizedBody(kind, body, `provided data does not appear to be a protobuf message, ${expected}`);
  }
  if (body.length === prefix.length) throw unrecognizedBody(kind, body, 'empty body');
  try {
    return decodeEnvelope(body.subarray(prefix.length));
  } catch (error) {
    if (error instanceof ProtobufProblem) throw unrecognizedBody(kind, body, error.message);
    throw error;
  }
}

const decoder = new TextDecoder();

function decodeEnvelope(bytes: Uint8Array): JsonObject {
  const envelope = bytesFields(bytes);
  const typeMeta = bytesFields(envelope.get(1) ?? new Uint8Array());
  const apiVersion = decoder.decode(typeMeta.get(1));
  const kind = decoder.decode(typeMeta.get(2));
  const object = decodeMessage(typeOf(apiVersion, kind), envelope.get(2) ?? new Uint8Array());
  return { kind, apiVersion, ...object } satisfies Readonly<Record<string, Json>>;
}

function bytesFields(bytes: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const fields = new Map<number, Uint8Array>();
  for (const { number, value } of wireFields(bytes)) if (typeof value !== 'number') fields.set(number, value);
  return fields;
}

/**
 * Message names start with the first word of the group. DeleteOptions may come with the version of any group.
 */
function typeOf(apiVersion: string, kind: string): MessageType {
  const [version = '', group = 'core'] = apiVersion.split('/').toReversed();
  const name = `${group.split('.')[0]}.${version}.${kind}`;
  const type =
    messageType(name) ?? (kind === 'DeleteOptions' ? messageType('meta.v1.DeleteOptions') : undefined);
  if (type !== undefined) return type;
  const message = `the body of the request was in an unknown format - ${kind} in version "${apiVersion}" has no protobuf form here, accepted media types include: application/json, application/yaml`;
  throw new StatusError(415, 'UnsupportedMediaType', message);
}
