import type { JsonObject } from '@karpenter/core/schema';
import { isJsonObject } from '@karpenter/core/schema';
import { badRequest, invalidOption } from '../status/status-errors.ts';

export type Propagation = 'Background' | 'Foreground' | 'Orphan';

export interface DeleteRequestOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: Propagation;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly dryRun: boolean;
}

/** From the body if there is one, else from the query. */
export function deleteOptions(body: JsonObject | undefined, query: URLSearchParams): DeleteRequestOptions {
  const source = body ?? queryOptions(query);
  const preconditions = source['preconditions'];
  const { uid, resourceVersion } = preconditions && isJsonObject(preconditions) ? preconditions : {};
  const gracePeriodSeconds = graceOf(source);
  const propagationPolicy = propagationOf(source);
  return {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(typeof uid === 'string' && uid !== '' ? { uid } : {}),
    ...(typeof resourceVersion === 'string' && resourceVersion !== '' ? { resourceVersion } : {}),
    dryRun: Array.isArray(source['dryRun'])
      ? source['dryRun'].includes('All')
      : query.getAll('dryRun').includes('All'),
  };
}

function queryOptions(query: URLSearchParams): JsonObject {
  const grace = query.get('gracePeriodSeconds');
  const policy = query.get('propagationPolicy');
  const orphan = query.get('orphanDependents');
  return {
    ...(grace === null ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
    ...(orphan === null ? {} : { orphanDependents: orphan === 'true' }),
  };
}

function graceOf({ gracePeriodSeconds: grace }: JsonObject): number | undefined {
  if (grace === undefined || grace === null) return undefined;
  if (typeof grace !== 'number' || !Number.isInteger(grace))
    throw badRequest('gracePeriodSeconds must be an integer');
  return grace;
}

function propagationOf({
  propagationPolicy: policy,
  orphanDependents: orphan,
}: JsonObject): Propagation | undefined {
  if (typeof orphan === 'boolean') return orphan ? 'Orphan' : 'Background';
  if (policy === undefined || policy === null) return undefined;
  if (policy === 'Background' || policy === 'Foreground' || policy === 'Orphan') return policy;
  throw invalidOption({
    options: 'DeleteOptions',
    field: 'propagationPolicy',
    value: policy,
    supported: '"Foreground", "Background", "Orphan", "nil"',
  });
}
