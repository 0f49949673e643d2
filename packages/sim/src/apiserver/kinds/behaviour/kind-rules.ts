import type { FieldError, JsonObject } from '@karpenter/core/schema';
import type { Steps } from '@karpenter/core/yielding';
import type { Draft } from '../draft.ts';

/** The behaviour of one built-in kind beyond its definition. */
export interface ServedKindRules {
  /** Moves values from one field to another before defaulting, such as deprecated fields. */
  readonly convert?: (object: Draft) => void;
  readonly prepareCreate?: (object: Draft) => void;
  readonly prepareUpdate?: (object: Draft, old: JsonObject) => void;
  readonly prepareStatus?: (object: JsonObject, old: JsonObject) => JsonObject;
  /** A create may set the status, as a kubelet does when it registers its Node. */
  readonly keepsStatusOnCreate?: boolean;
  /** Validates an object; `old` is set on update, for values that an update may keep. */
  readonly validate?: (object: JsonObject, old: JsonObject | undefined) => readonly FieldError[];
  /** As `validate`, for what takes long. */
  readonly validateInSteps?: (object: JsonObject) => Steps<readonly FieldError[]>;
  /** Validates an object against the one that it replaces. */
  readonly validateUpdate?: (object: JsonObject, old: JsonObject) => readonly FieldError[];
  readonly validateStatus?: (object: JsonObject, old: JsonObject | undefined) => readonly FieldError[];
  readonly warnings?: (object: JsonObject) => readonly string[];
  /** Why a string is not a valid name of this kind; defaults to DNS subdomains. */
  readonly nameProblems?: (name: string) => readonly string[];
  readonly fieldSelectors?: Readonly<Record<string, (object: JsonObject) => string>>;
  readonly countsGenerations?: boolean;
  readonly countsAnnotations?: boolean;
  readonly refusesUnconditionalUpdate?: boolean;
  readonly allowsCreateOnUpdate?: boolean;
}
