import type { FieldError, JsonObject } from '@karpenter/core/schema';
import type { Draft } from '../draft.ts';

/** What sets one kind of Kubernetes' own apart from the others, beyond its definition. */
export interface ServedKindRules {
  /** What is said in one field and meant for another, before the defaults. */
  readonly convert?: (object: Draft) => void;
  readonly prepareCreate?: (object: Draft) => void;
  readonly prepareUpdate?: (object: Draft, old: JsonObject) => void;
  readonly prepareStatus?: (object: JsonObject, old: JsonObject) => JsonObject;
  /** Nodes may be created with the status that the kubelet reports. */
  readonly keepsStatusOnCreate?: boolean;
  /** What must hold of any object; `old` for what an update may keep. */
  readonly validate?: (object: JsonObject, old: JsonObject | undefined) => readonly FieldError[];
  /** What must hold between an object and what it replaces. */
  readonly validateUpdate?: (object: JsonObject, old: JsonObject) => readonly FieldError[];
  readonly validateStatus?: (object: JsonObject, old: JsonObject | undefined) => readonly FieldError[];
  readonly warnings?: (object: JsonObject) => readonly string[];
  /** Why a text is not a name of this kind; defaults to DNS subdomains. */
  readonly nameProblems?: (name: string) => readonly string[];
  readonly fieldSelectors?: Readonly<Record<string, (object: JsonObject) => string>>;
  readonly countsGenerations?: boolean;
  readonly countsAnnotations?: boolean;
  readonly refusesUnconditionalUpdate?: boolean;
  readonly allowsCreateOnUpdate?: boolean;
}
