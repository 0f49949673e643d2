import type { Steps } from '@karpenter/core/yielding';
import type { DecodedBody } from '../decoding/index.ts';
import { decodeJson, decodeProtobuf, decodeYaml } from '../decoding/index.ts';
import { unsupportedMediaType } from '../status/status-errors.ts';
import { parseMediaType } from './negotiation.ts';

const objectTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/**
 * Decodes the body of a create, update or delete, in steps; `kind` is the kind of the path. Without a content type it
 * is JSON.
 */
export function* parseObjectBody(
  bytes: Buffer,
  contentType: string | undefined,
  kind: string,
): Steps<DecodedBody> {
  switch (parseMediaType(contentType ?? 'application/json').type) {
    case 'application/json':
      return yield* decodeJson(bytes, kind);
    case 'application/yaml':
      return yield* decodeYaml(bytes, kind);
    case 'application/vnd.kubernetes.protobuf':
      return { object: decodeProtobuf(bytes, kind), strictErrors: [] };
    default:
      throw unsupportedMediaType(objectTypes);
  }
}
