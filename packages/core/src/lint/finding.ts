/** From the least to the most serious. */
export const lintSeverities = ['info', 'warning', 'error'] as const;

export type LintSeverity = (typeof lintSeverities)[number];

/** Something that is legal and probably wrong. */
export interface LintFinding {
  /** Stable, such as `KL001`. */
  readonly code: string;
  readonly severity: LintSeverity;
  /** Such as `NodePool default`. */
  readonly object: string;
  /** Path of the field that is to change. */
  readonly field: string;
  readonly reason: string;
  readonly fix: string;
}

/** What a code means, for the reference page. */
export interface LintRuleText {
  readonly severity: LintSeverity;
  /** What is found, as a phrase. */
  readonly finds: string;
  /** What happens if nothing is changed. */
  readonly why: string;
}
