import { isJsonArray, type Json, type JsonObject, member } from '@karpenter/core/schema';
import type { ApiServerParts } from '../api-context.ts';
import { serverAudience, type TokenSigner } from '../auth/index.ts';
import { objectOf } from '../lenient-json.ts';
import type { StatusError } from '../status/status-error.ts';
import { invalid } from '../status/status-errors.ts';
import { textField, timestamp } from '../writes/object-meta.ts';
import { presentEntry } from '../writes/update.ts';
import type { WriteRequest } from '../writes/write-request.ts';

const defaultSeconds = 3600;
const minimumSeconds = 600;

/**
 * `serviceaccounts/token`, which `kubectl create token` calls: signs a token. Nothing is stored; the token is
 * valid until it expires or the account is deleted.
 */
export function issueToken(
  parts: ApiServerParts,
  signer: TokenSigner,
  request: WriteRequest,
  body: JsonObject,
): JsonObject {
  const account = presentEntry(parts, request);
  const { spec } = body;
  const asked = member(spec, 'expirationSeconds');
  const seconds = typeof asked === 'number' ? asked : defaultSeconds;
  if (seconds < minimumSeconds) throw tooShort(request, seconds);
  const audiences = audiencesOf(member(spec, 'audiences'));
  const expires = Math.floor(request.nowMs / 1000) + seconds;
  const token = signer.sign({
    namespace: account.namespace,
    name: account.name,
    uid: textField(account.object, 'uid'),
    audiences,
    expires,
  });
  return {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: {
      name: account.name,
      namespace: account.namespace,
      creationTimestamp: timestamp(request.nowMs),
    },
    spec: { ...objectOf(spec), audiences, expirationSeconds: seconds },
    status: { token, expirationTimestamp: timestamp(expires * 1000) },
  };
}

function audiencesOf(wanted: Json | undefined): readonly string[] {
  return wanted !== undefined && isJsonArray(wanted) && wanted.length > 0
    ? wanted.map(String)
    : [serverAudience];
}

function tooShort({ name }: WriteRequest, seconds: number): StatusError {
  const detail = 'may not specify a duration less than 10 minutes';
  return invalid({ group: 'authentication.k8s.io', kind: 'TokenRequest', name }, [
    { type: 'Invalid', field: 'spec.expirationSeconds', value: seconds, detail },
  ]);
}
