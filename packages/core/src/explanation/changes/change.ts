import type { ObjectName } from '../../decisions/index.ts';
import type { FieldChange } from '../explanation.ts';
import { patched } from '../json-patch.ts';

/** The object after a change; the patch is absent where it is not a change of fields. */
export interface ChangedObject<T> {
  readonly object: T;
  readonly patch?: readonly FieldChange[];
}

/** The same change by smaller amounts. */
interface Gentler<T> {
  /** After so many steps nothing would change any more. */
  readonly steps: number;
  readonly at: (step: number) => Change<T>;
  /** Steps that are likely to be enough, the gentlest first. */
  readonly hints: readonly number[];
}

/** A change that may make a pod schedulable. */
export interface Change<T = never> {
  readonly object: ObjectName;
  readonly text: string;
  /** How much it changes: the search prefers small ones. */
  readonly size: number;
  /** Undefined if there is nothing left to change, because another change went further. */
  readonly apply: (object: T) => ChangedObject<T> | undefined;
  /** For a change by an amount. */
  readonly gentler?: Gentler<T>;
}

/** A change of fields. `patch` gets the object as earlier changes left it. */
export function fieldChange<T extends object>(
  change: Omit<Change<T>, 'apply'> & { readonly patch: (object: T) => readonly FieldChange[] },
): Change<T> {
  const { patch: patchOf, ...rest } = change;
  return {
    ...rest,
    apply: (object) => {
      const patch = patchOf(object);
      return patch.length === 0 ? undefined : { object: patched(object, patch), patch };
    },
  };
}
