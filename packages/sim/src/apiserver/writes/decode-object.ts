import type { JsonObject } from '@karpenter/core/schema';
import type { Decoded } from '../kinds/served-kind.ts';
import { apiVersionOf } from '../registry/kind-registry.ts';
import { badRequest } from '../status/status-errors.ts';
import { requireStorable, requireStorableBody } from './object-size.ts';
import type { WriteRequest } from './write-request.ts';

/** Decodes a body as the kind of the path. `known` is the current object on update. */
export function decodeObject(
  { kind, fieldValidation }: WriteRequest,
  body: JsonObject,
  known?: JsonObject,
): Decoded {
  const { isSmall } = requireStorableBody(body);
  if (!kind.isCustom) checkType(kind.kind, apiVersionOf(kind), body);
  const decoded = kind.behaviour.decode(body, fieldValidation, known);
  // Defaults may make it many times larger than the body.
  if (kind.isCustom || !isSmall) requireStorable(decoded.object);
  return decoded;
}

/**
 * A missing kind or apiVersion defaults to that of the path; custom kinds check theirs in their own decoder.
 */
function checkType(kind: string, apiVersion: string, body: JsonObject): void {
  const { kind: sentKind, apiVersion: sentVersion } = body;
  if (typeof sentVersion === 'string' && sentVersion !== '' && sentVersion !== apiVersion) {
    throw wrongType({
      sent: sentKind,
      apiVersion: sentVersion,
      kind,
      why: `no kind "${String(sentKind)}" is registered for version "${sentVersion}"`,
    });
  }
  if (typeof sentKind === 'string' && sentKind !== '' && sentKind !== kind) {
    throw wrongType({
      sent: sentKind,
      apiVersion,
      kind,
      why: `converting (${apiVersion}.${sentKind}) to (${kind}): unknown conversion`,
    });
  }
}

interface WrongType {
  readonly sent: unknown;
  readonly apiVersion: string;
  readonly kind: string;
  readonly why: string;
}

function wrongType({ sent, apiVersion, kind, why }: WrongType): Error {
  const version = apiVersion.split('/').at(-1);
  return badRequest(`${String(sent)} in version "${version}" cannot be handled as a ${kind}: ${why}`);
}
