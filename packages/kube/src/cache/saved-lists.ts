import { CodedError } from '@karpenter/core/errors';
import type { SavedList } from '@karpenter/core/saved-cluster';
import type { Kind, KubeObject } from '../client/index.ts';
import { apiVersionOf } from '../client/index.ts';
import { type KindList, ListedCaches } from './listed-caches.ts';
import { sharedParts } from './shared-parts.ts';
import { SimilarObjects } from './similar-objects.ts';

/** The lists as a saved cluster holds them. */
export function savedLists(lists: readonly KindList[]): readonly SavedList[] {
  return lists.map(({ kind, objects }) => ({
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    items: objects,
  }));
}

/**
 * Caches over the lists of a saved cluster. Equal parts become one, as in caches of a live cluster: a file
 * repeats the spec of every pod. Throws `unknown-kind` for a list of a kind that is not among `kinds`. The
 * caller has validated the objects.
 */
export function cachesOfLists(lists: readonly SavedList[], kinds: readonly Kind[]): ListedCaches {
  return new ListedCaches(lists.map((list) => kindList(list, kinds)));
}

function kindList({ apiVersion, kind, items }: SavedList, kinds: readonly Kind[]): KindList {
  const known = kinds.find((each) => each.kind === kind && apiVersionOf(each) === apiVersion);
  if (known === undefined) {
    throw new CodedError('unknown-kind', `no plan reads kind ${kind} (${apiVersion}); remove its list`);
  }
  return { kind: known, objects: withSharedParts(items as readonly KubeObject[]) };
}

function withSharedParts(objects: readonly KubeObject[]): readonly KubeObject[] {
  const similar = new SimilarObjects<KubeObject>();
  return objects.map((object) => {
    const shared = sharedParts(object, similar.of(object));
    similar.add(shared);
    return shared;
  });
}
