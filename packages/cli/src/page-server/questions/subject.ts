import type { ObjectName } from '@karpenter/core/decisions';
import { HttpRefusal } from '../http/index.ts';

const kinds: Readonly<Record<string, ObjectName['kind']>> = {
  pod: 'Pod',
  node: 'Node',
  nodeclaim: 'NodeClaim',
  nodepool: 'NodePool',
};

/** The object that a query names: `kind=pod&namespace=default&name=web`. */
export function subjectOf(query: URLSearchParams): ObjectName {
  const given = (query.get('kind') ?? '').toLowerCase();
  const kind = Object.hasOwn(kinds, given) ? kinds[given] : undefined;
  const name = query.get('name') ?? '';
  if (kind === undefined || name === '')
    throw new HttpRefusal(
      400,
      `the request does not name an object; ask with kind=${Object.keys(kinds).join('|')} and name, and namespace for a pod`,
    );
  return kind === 'Pod' ? { kind, namespace: query.get('namespace') ?? 'default', name } : { kind, name };
}
