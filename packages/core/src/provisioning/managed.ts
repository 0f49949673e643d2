import type { NodeClassReference } from '../api/index.ts';
import type { NodeClassKind } from '../ports/index.ts';

/**
 * The kind of NodeClass that a reference names, if the cloud provider supports it. Objects that refer to
 * other kinds belong to other providers and are ignored.
 */
export function nodeClassKindOf(
  { group, kind }: Pick<NodeClassReference, 'group' | 'kind'>,
  kinds: readonly NodeClassKind[],
): NodeClassKind | undefined {
  return kinds.find((known) => known.group === group && known.kind === kind);
}
