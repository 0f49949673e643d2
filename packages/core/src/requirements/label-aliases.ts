import { labelAliases } from '../api/names/labels.ts';

/**
 * Other spellings of label keys, and of the values of a key, that mean the same. Everything that enters the
 * algebra is respelt first, so two spellings meet in one requirement.
 */
export interface LabelAliases {
  readonly keys: ReadonlyMap<string, string>;
  /** Per key (already respelt): other value to the value meant. */
  readonly values?: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Aliases that hold on every cloud; a provider adds its own to a copy of this table. */
export const coreLabelAliases: LabelAliases = { keys: labelAliases };
