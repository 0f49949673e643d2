import type { NodeClassKind } from '../ports/index.ts';

/** A reference before defaults, as a user wrote it. */
interface WrittenReference {
  readonly group?: unknown;
  readonly kind?: unknown;
}

export interface AddedField {
  readonly op: 'add';
  readonly path: string;
  readonly value: string;
}

/**
 * Adds group and kind to a nodeClassRef that leaves them out: those of the provider's NodeClass, or the group
 * of the kind that is named. Nothing is added to a reference to another provider's NodeClass.
 * @param path of the reference, as a JSON pointer
 */
export function nodeClassRefPatch(
  ref: WrittenReference,
  kinds: readonly NodeClassKind[],
  path: string,
): readonly AddedField[] {
  const meant = kinds.find(
    ({ group, kind }) =>
      [undefined, group].includes(text(ref.group)) && [undefined, kind].includes(text(ref.kind)),
  );
  if (meant === undefined) return [];
  return (['group', 'kind'] as const).flatMap((field) =>
    ref[field] === undefined ? [{ op: 'add' as const, path: `${path}/${field}`, value: meant[field] }] : [],
  );
}

/** Anything but text is left to the schema to refuse. */
function text(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}
