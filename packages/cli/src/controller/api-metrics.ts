import { runtimeMetrics } from '@karpenter/core/api';
import type { Counters } from '@karpenter/core/ports';
import type { Exchange } from '@karpenter/kube/client';

interface Target {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly subresource: string;
}

/** Counts requests to the API server and how long they took. */
export function countExchange(counters: Counters, { method, path, status, duration }: Exchange): void {
  counters.increment(runtimeMetrics.apiRequests, { method, code: String(status ?? '<error>') });
  counters.observe(runtimeMetrics.apiRequestDuration, { verb: method, ...targetOf(path) }, duration / 1000);
}

/** What a path is about, so that there is a series for each kind, not for each object. */
function targetOf(path: string): Target {
  const [root, ...rest] = (path.split('?')[0] ?? '').split('/').filter((part) => part !== '');
  if (root !== 'api' && root !== 'apis') return { group: '', version: '', kind: '', subresource: '' };
  const [group = '', version = '', ...names] = root === 'api' ? ['', ...rest] : rest;
  const isInNamespace = names[0] === 'namespaces' && names.length > 2;
  const [kind = '', , subresource = ''] = isInNamespace ? names.slice(2) : names;
  return { group, version, kind, subresource };
}
