import type { JsonObject } from '../schema/index.ts';

/** Keys and list positions from the root of an object to one of its fields. */
export type FieldPath = readonly (string | number)[];

/** What a conversion assumed, dropped or could not decide. Programs may rely on the codes. */
export type ConversionWarningCode =
  | 'ami-family-assumed'
  | 'both-keys-kept'
  | 'class-split'
  | 'consolidation-kept-off'
  | 'container-runtime-dropped'
  | 'custom-user-data'
  | 'defaults-made-explicit'
  | 'expiry-assumed'
  | 'field-dropped'
  | 'hop-limit-kept'
  | 'kubelet-moved'
  | 'kubelet-parked'
  | 'label-dropped'
  | 'no-node-class'
  | 'node-role-unknown'
  | 'not-converted'
  | 'other-provider'
  | 'resources-dropped'
  | 'selector-not-allowed'
  | 'selector-renamed'
  | 'settings-moved'
  | 'tag-dropped'
  | 'ubuntu-as-al2'
  | 'unreadable-document'
  | 'unschedulable-tolerated';

export interface ConversionWarning {
  readonly code: ConversionWarningCode;
  /** The object as users know it: kind and name before the conversion. */
  readonly object: string;
  /** The field of the object that was given to the conversion; empty for the object as a whole. */
  readonly field: FieldPath;
  /** One sentence for people, without a full stop. */
  readonly sentence: string;
  /** Whether a person must look at the result before it is used. */
  readonly needsReview: boolean;
}

/** The field `to` of the result holds what the field `from` of the source held. */
export interface FieldMove {
  readonly from: FieldPath;
  readonly to: FieldPath;
}

export interface ConvertedObject {
  readonly object: JsonObject;
  readonly warnings: readonly ConversionWarning[];
  /** Fields whose place or name changed, so that comments can follow them. */
  readonly moves: readonly FieldMove[];
}

/**
 * The places of the source from which a field of the result comes, the one with its value first. A field that no move
 * mentions comes from the same place.
 */
export function sourcesOf(moves: readonly FieldMove[], path: FieldPath): readonly FieldPath[] {
  const exact = moves.filter(({ to }) => to.length === path.length && isPrefix(to, path));
  if (exact.length > 0) return exact.map(({ from }) => from);
  const outer = moves.filter(({ to }) => isPrefix(to, path)).sort((a, b) => b.to.length - a.to.length)[0];
  return [outer === undefined ? path : [...outer.from, ...path.slice(outer.to.length)]];
}

function isPrefix(prefix: FieldPath, path: FieldPath): boolean {
  return prefix.length <= path.length && prefix.every((part, index) => part === path[index]);
}
