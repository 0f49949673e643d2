import type { DecodedBody } from '../decoding/index.ts';
import { decodeJson, decodeProtobuf, decodeYaml } from '../decoding/index.ts';
import { unsupportedMediaType } from '../status/status-errors.ts';
import { parseMediaType } from './negotiation.ts';

const objectTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** The body of a create, an update or a delete; `kind` is the one that the path asks for. */
export function parseObjectBody(bytes: Buffer, contentType: string | undefined, kind: string): DecodedBody {
  switch (parseMediaType(contentType ?? 'application/json').type) {
    case 'application/json':
      return decodeJson(bytes, kind);
    case 'application/yaml':
      return decodeYaml(bytes, kind);
    case 'application/vnd.kubernetes.protobuf':
      return { object: decodeProtobuf(bytes, kind), strictErrors: [] };
    default:
      throw unsupportedMediaType(objectTypes);
  }
}
