import type { FieldProblem } from '../provisioning/index.ts';

/** What is wrong with an object: errors that refuse it, and warnings that its author sees. */
export interface Admission {
  readonly errors: readonly FieldProblem[];
  readonly warnings: readonly string[];
}

const maxValueLength = 200;

/** The text of a Kubernetes field error: `spec.limits.cpu: Invalid value: "1x": must be a quantity`. */
export function problemText({ field, value, reason }: FieldProblem): string {
  return `${field}: Invalid value: ${shortened(JSON.stringify(value) ?? 'null')}: ${reason}`;
}

/** A refused value may be as large as an object; nobody reads more than its beginning. */
function shortened(text: string): string {
  return text.length <= maxValueLength ? text : `${text.slice(0, maxValueLength)}…`;
}
