import type { NodePool } from '../api/index.ts';
import { CodedError } from '../errors/index.ts';
import type { FieldProblem } from '../provisioning/index.ts';
import { parseDuration, parseSchedule } from '../values/index.ts';

interface DurationFields {
  readonly expireAfter?: string | undefined;
  readonly terminationGracePeriod?: string | undefined;
}

/** Durations that the pattern of the CRD allows and nothing can represent. */
export function durationProblems(spec: DurationFields, path: string): readonly FieldProblem[] {
  return [
    ...unparsable(`${path}.expireAfter`, spec.expireAfter, parseDuration),
    ...unparsable(`${path}.terminationGracePeriod`, spec.terminationGracePeriod, parseDuration),
  ];
}

/** Schedules and durations with which a budget blocks every disruption of its NodePool. */
export function disruptionProblems({ spec }: Pick<NodePool, 'spec'>): readonly FieldProblem[] {
  const path = 'spec.disruption';
  const { consolidateAfter, budgets = [] } = spec.disruption ?? {};
  return [
    ...unparsable(`${path}.consolidateAfter`, consolidateAfter, parseDuration),
    ...budgets.flatMap(({ schedule, duration }, index) => [
      ...unparsable(`${path}.budgets[${index}].schedule`, schedule, parseSchedule),
      ...unparsable(`${path}.budgets[${index}].duration`, duration, parseDuration),
    ]),
  ];
}

type Parse = (text: string, field: string) => unknown;

function unparsable(field: string, value: string | undefined, parse: Parse): readonly FieldProblem[] {
  if (value === undefined || value === 'Never') return [];
  try {
    parse(value, field);
    return [];
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return [{ field, value, reason: withoutSubject(error.message, field, value) }];
  }
}

/** The errors of parsers begin with field and value, which every problem has already. */
function withoutSubject(message: string, field: string, value: string): string {
  const subject = `${field}: ${JSON.stringify(value)} is `;
  return message.startsWith(subject) ? message.slice(subject.length) : message;
}
