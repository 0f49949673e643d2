import { CodedError } from '@karpenter/core/errors';
import {
  type ApiError,
  ConnectionError,
  isForbidden,
  isUnauthorized,
  type Kind,
} from '@karpenter/kube/client';

/** What a command was reading when it failed. */
export interface FailedRead {
  readonly kind: Kind;
  readonly verb: 'list' | 'watch';
  /** Address of the API server. */
  readonly server: string;
}

/** The error for the user: one sentence with what to do, in place of what the client threw. */
export function readError(error: unknown, { kind, verb, server }: FailedRead): unknown {
  if (isForbidden(error)) return missingPermission(error, kind, verb);
  if (isUnauthorized(error))
    return new CodedError(
      'api-refused',
      `cannot ${verb} ${kind.plural}: the cluster at ${server} does not accept the credentials of this context; log in again or choose another with --context`,
      { cause: error },
    );
  if (error instanceof ConnectionError) return unreachable(error, server, '--kubeconfig or --context');
  return error;
}

/** `flags` are those with which the command chooses another cluster. */
export function unreachable(error: ConnectionError, server: string, flags: string): CodedError {
  return new CodedError(
    'api-unreachable',
    `cannot reach the cluster at ${server}: ${reasonOf(error)}; check that it is running, or choose another with ${flags}`,
    { cause: error },
  );
}

function missingPermission(error: ApiError, { plural, group }: Kind, verb: string): CodedError {
  const resource = group === '' ? plural : `${plural}.${group}`;
  return new CodedError(
    'missing-permission',
    `cannot ${verb} ${resource}: the user of this context may not; bind it to a ClusterRole with the verb ${verb} on ${resource}`,
    { cause: error, details: { verb, resource } },
  );
}

/** The client's own sentence begins with the request; only what follows matters here. */
function reasonOf({ message }: ConnectionError): string {
  return message.replace(/^cannot [^:]*: /, '');
}
