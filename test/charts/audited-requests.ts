import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A request of the audited user, without the name of the object. */
export interface AuditedRequest {
  /** Such as `patch karpenter.sh/nodeclaims/status`. */
  readonly what: string;
  readonly code: number;
  readonly isAllowed: boolean;
  /** Which binding of which role allowed it, in the words of the API server. */
  readonly reason: string;
}

interface AuditEvent {
  readonly verb: string;
  readonly requestURI: string;
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource?: string;
    readonly subresource?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  readonly annotations?: Readonly<Record<string, string>>;
}

/** All requests that the API server with this directory has audited so far. */
export async function auditedRequests(directory: string): Promise<readonly AuditedRequest[]> {
  const text = await readFile(join(directory, 'audit.log'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => requestOf(JSON.parse(line)));
}

function requestOf({
  verb,
  requestURI,
  objectRef,
  responseStatus,
  annotations = {},
}: AuditEvent): AuditedRequest {
  const { apiGroup = '', resource, subresource } = objectRef ?? {};
  const kind = [apiGroup, resource, subresource]
    .filter((part) => part !== undefined && part !== '')
    .join('/');
  return {
    what: `${verb} ${resource === undefined ? requestURI : kind}`,
    code: responseStatus?.code ?? 0,
    isAllowed: annotations['authorization.k8s.io/decision'] === 'allow',
    reason: annotations['authorization.k8s.io/reason'] ?? '',
  };
}
