import type { NodeClassReference } from '../api/index.ts';
import type { NodeClassKind } from '../ports/index.ts';

/** The kind of NodeClass that a reference names, if it is one of the cloud's: objects that name others are left alone. */
export function nodeClassKindOf(
  { group, kind }: Pick<NodeClassReference, 'group' | 'kind'>,
  kinds: readonly NodeClassKind[],
): NodeClassKind | undefined {
  return kinds.find((known) => known.group === group && known.kind === kind);
}
