import type { JsonObject } from '@karpenter/core/schema';
import type { Decoded } from '../kinds/served-kind.ts';
import { apiVersionOf } from '../registry/kind-registry.ts';
import { badRequest } from '../status/status-errors.ts';
import type { WriteRequest } from './write-request.ts';

/** The object of a request as one of the kind that its path names. */
export function decodeObject(
  { kind, fieldValidation }: WriteRequest,
  body: JsonObject,
  known?: JsonObject,
): Decoded {
  if (!kind.isCustom) checkType(kind.kind, apiVersionOf(kind), body);
  return kind.behaviour.decode(body, fieldValidation, known);
}

/** What is left out is taken from the path; definitions of custom kinds judge it themselves. */
function checkType(kind: string, apiVersion: string, body: JsonObject): void {
  const { kind: sentKind, apiVersion: sentVersion } = body;
  if (typeof sentVersion === 'string' && sentVersion !== '' && sentVersion !== apiVersion) {
    throw wrongType(
      sentKind,
      sentVersion,
      kind,
      `no kind "${String(sentKind)}" is registered for version "${sentVersion}"`,
    );
  }
  if (typeof sentKind === 'string' && sentKind !== '' && sentKind !== kind) {
    throw wrongType(
      sentKind,
      apiVersion,
      kind,
      `converting (${apiVersion}.${sentKind}) to (${kind}): unknown conversion`,
    );
  }
}

function wrongType(sent: unknown, apiVersion: string, kind: string, why: string): Error {
  const version = apiVersion.split('/').at(-1);
  return badRequest(`${String(sent)} in version "${version}" cannot be handled as a ${kind}: ${why}`);
}
