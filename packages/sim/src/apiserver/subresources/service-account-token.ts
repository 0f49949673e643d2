import { isJsonArray, type Json, type JsonObject, member } from '@karpenter/core/schema';
import type { ApiServerParts } from '../api-context.ts';
import { serverAudience, type TokenSigner } from '../auth/index.ts';
import { objectOf } from '../lenient-json.ts';
import type { StatusError } from '../status/status-error.ts';
import { badRequest, invalid } from '../status/status-errors.ts';
import { textField, timestamp } from '../writes/object-meta.ts';
import { presentEntry } from '../writes/update.ts';
import type { WriteRequest } from '../writes/write-request.ts';

const defaultSeconds = 3600;
const minimumSeconds = 600;
const maximumSeconds = 2 ** 32;

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
  const seconds = lifetimeOf(request, member(spec, 'expirationSeconds') ?? defaultSeconds);
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

function lifetimeOf(request: WriteRequest, seconds: Json): number {
  if (typeof seconds !== 'number' || !Number.isSafeInteger(seconds)) {
    const found = typeof seconds === 'number' ? `number ${seconds}` : typeof seconds;
    throw badRequest(
      'TokenRequest in version "v1" cannot be handled as a TokenRequest: json: cannot unmarshal ' +
        `${found} into Go struct field TokenRequestSpec.spec.expirationSeconds of type int64`,
    );
  }
  if (seconds < minimumSeconds) throw wrongLifetime(request, seconds, 'less than 10 minutes');
  if (seconds > maximumSeconds) throw wrongLifetime(request, seconds, 'larger than 2^32 seconds');
  return seconds;
}

function wrongLifetime({ name }: WriteRequest, seconds: number, why: string): StatusError {
  const detail = `may not specify a duration ${why}`;
  return invalid({ group: 'authentication.k8s.io', kind: 'TokenRequest', name }, [
    { type: 'Invalid', field: 'spec.expirationSeconds', value: seconds, detail },
  ]);
}
