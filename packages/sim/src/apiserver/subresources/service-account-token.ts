import { isJsonArray, type JsonObject, member } from '@karpenter/core/schema';
import type { ApiServerParts } from '../api-context.ts';
import type { TokenSigner } from '../auth/index.ts';
import { textField, timestamp } from '../writes/object-meta.ts';
import { presentEntry } from '../writes/update.ts';
import type { WriteRequest } from '../writes/write-request.ts';

const usualSeconds = 3600;
const shortestSeconds = 600;

/** A token for a service account, as `kubectl create token` asks for it. */
export function issueToken(
  parts: ApiServerParts,
  signer: TokenSigner,
  request: WriteRequest,
  body: JsonObject,
): JsonObject {
  const account = presentEntry(parts, request);
  const { spec } = body;
  const asked = member(spec, 'expirationSeconds');
  const seconds = Math.max(shortestSeconds, typeof asked === 'number' ? asked : usualSeconds);
  const audiences = member(spec, 'audiences');
  const expires = Math.floor(request.nowMs / 1000) + seconds;
  const token = signer.sign({
    namespace: account.namespace,
    name: account.name,
    uid: textField(account.object, 'uid'),
    audiences:
      audiences !== undefined && isJsonArray(audiences) && audiences.length > 0
        ? audiences.map(String)
        : ['https://kubernetes.default.svc'],
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
    spec: { ...(spec as JsonObject | undefined), expirationSeconds: seconds },
    status: { token, expirationTimestamp: timestamp(expires * 1000) },
  };
}
