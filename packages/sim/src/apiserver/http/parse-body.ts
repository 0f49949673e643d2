import { isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import { decodeJson, decodeProtobuf, decodeYaml } from '../decoding/index.ts';
import { badRequest, unsupportedMediaType } from '../status/status-errors.ts';
import { parseMediaType } from './negotiation.ts';

export interface ParsedBody {
  readonly value: Json;
  /** Fields that were there twice: the last counted, and strict validation minds. */
  readonly duplicates: readonly string[];
}

const objectTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** The body of a create, an update or a delete. */
export function parseObjectBody(
  bytes: Buffer,
  contentType: string | undefined,
): ParsedBody & { readonly value: JsonObject } {
  const parsed = parseBody(bytes, parseMediaType(contentType ?? 'application/json').type);
  if (!isJsonObject(parsed.value)) {
    throw badRequest("couldn't get version/kind; json parse error: the body is not an object");
  }
  return { value: parsed.value, duplicates: parsed.duplicates };
}

function parseBody(bytes: Buffer, type: string): ParsedBody {
  switch (type) {
    case 'application/json':
      return decodeJson(bytes);
    case 'application/yaml':
      return decodeYaml(bytes);
    case 'application/vnd.kubernetes.protobuf':
      return { value: decodeProtobuf(bytes), duplicates: [] };
    default:
      throw unsupportedMediaType(objectTypes);
  }
}
