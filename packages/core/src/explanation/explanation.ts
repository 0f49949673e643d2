import type { ObjectName } from '../decisions/index.ts';

/**
 * Why an object is as it is, as a tree of findings that a terminal and the page print alike. Plain data that JSON
 * holds as it is.
 */
export interface Explanation {
  readonly subject: ObjectName;
  /** The answer in one sentence. */
  readonly summary: string;
  readonly sections: readonly ExplanationSection[];
  /** What would help, the smallest change first; empty where nothing is wrong. */
  readonly changes: readonly ProposedChange[];
}

export interface ExplanationSection {
  readonly title: string;
  readonly findings: readonly Finding[];
}

export interface Finding {
  readonly text: string;
  /** `blocked` is what prevents the thing asked about, `met` what does not, `fact` anything else. */
  readonly verdict: 'blocked' | 'met' | 'fact';
  /** Until when it holds, in milliseconds since 1970; absent if no time ends it. */
  readonly until?: number;
  readonly details?: readonly Finding[];
}

export interface ProposedChange {
  /** What to do, in one sentence. */
  readonly text: string;
  readonly object: ObjectName;
  /** Applied to the object, it makes the pod schedulable; absent where it is not a change of fields. */
  readonly patch?: readonly FieldChange[];
  /** Further changes without which this one does not help; their patches are applied after this one, in order. */
  readonly together?: readonly ProposedChange[];
}

export interface FieldChange {
  readonly op: 'add' | 'remove' | 'replace';
  /** A JSON pointer. */
  readonly path: string;
  readonly value?: unknown;
}
