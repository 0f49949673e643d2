import type { ApiServerParts } from '../api-context.ts';
import { apiServerUser } from '../auth/index.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import type { WriteRequest } from '../writes/write-request.ts';

/** The request of a write that a controller of the server makes, as system:apiserver. */
export function serverRequest(
  { clock }: Pick<ApiServerParts, 'clock'>,
  kind: ServedKind,
  key: { readonly namespace: string; readonly name: string },
): WriteRequest {
  return {
    kind,
    user: apiServerUser,
    namespace: key.namespace,
    name: key.name,
    subresource: '',
    dryRun: false,
    fieldValidation: 'Ignore',
    manager: 'kube-controller-manager',
    nowMs: clock.now(),
    warn: () => {},
  };
}
