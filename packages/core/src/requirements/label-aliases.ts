import { labelAliases } from '../api/index.ts';

/**
 * Alternative spellings of label keys, and of the values of a key. All input is normalized first, so that two
 * spellings end up in one requirement.
 */
export interface LabelAliases {
  readonly keys: ReadonlyMap<string, string>;
  /** By normalized key: alias to value. */
  readonly values?: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Aliases for every cloud; a provider adds its own to a copy. */
export const coreLabelAliases: LabelAliases = { keys: labelAliases };
