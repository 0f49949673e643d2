import { CodedError } from '../../errors/index.ts';

/** A topology spread constraint for pods without any of their own. */
export interface DefaultSpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway';
  readonly minDomains?: number;
  readonly nodeAffinityPolicy?: 'Honor' | 'Ignore';
  readonly nodeTaintsPolicy?: 'Honor' | 'Ignore';
}

export interface SchedulerConfig {
  readonly defaultConstraints: readonly DefaultSpreadConstraint[];
}

type Fields = Readonly<Record<string, unknown>>;
type FieldCheck = (value: unknown) => string | undefined;

/** Validates the parsed value of the setting `scheduler-config`; no value is an empty config. */
export function parseSchedulerConfig(value: unknown): SchedulerConfig {
  const problems: string[] = [];
  const constraints = defaultConstraints(value, problems);
  constraints.forEach((constraint, index) => {
    problems.push(...constraintProblems(constraint, `podTopologySpread.defaultConstraints[${index}]`));
  });
  problems.push(...duplicateProblems(constraints));
  if (problems.length > 0) throw new CodedError('invalid-setting', problems.map(prefixed).join('; '));
  return { defaultConstraints: constraints as readonly unknown[] as readonly DefaultSpreadConstraint[] };
}

function defaultConstraints(value: unknown, problems: string[]): readonly unknown[] {
  const root = objectAt(value, 'the whole value', ['podTopologySpread'], problems);
  const spread = objectAt(root['podTopologySpread'], 'podTopologySpread', ['defaultConstraints'], problems);
  const list = spread['defaultConstraints'] ?? [];
  if (Array.isArray(list)) return list;
  problems.push('podTopologySpread.defaultConstraints is not a list');
  return [];
}

/**
 * The fields of an object; empty if it is absent. Any other type, and any unknown field, is reported as a
 * problem.
 */
function objectAt(value: unknown, path: string, known: readonly string[], problems: string[]): Fields {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) {
    problems.push(`${path} is not an object`);
    return {};
  }
  problems.push(...unknownFieldProblems(value, path, known));
  return value;
}

const policies = ['Honor', 'Ignore'];

const fieldChecks: Readonly<Record<string, FieldCheck>> = {
  maxSkew: (value) => (isPositiveInteger(value) ? undefined : 'is not a whole number greater than 0'),
  topologyKey: (value) =>
    typeof value === 'string' && value !== '' ? undefined : 'is not the key of a node label',
  whenUnsatisfiable: (value) => notAmong(value, ['DoNotSchedule', 'ScheduleAnyway']),
  minDomains: (value) =>
    value === undefined || isPositiveInteger(value) ? undefined : 'is not a whole number greater than 0',
  nodeAffinityPolicy: (value) => (value === undefined ? undefined : notAmong(value, policies)),
  nodeTaintsPolicy: (value) => (value === undefined ? undefined : notAmong(value, policies)),
  labelSelector: (value) =>
    value === undefined ? undefined : 'must not be set, since it is taken from the pod',
  matchLabelKeys: (value) =>
    value === undefined ? undefined : 'must not be set, since it is taken from the pod',
};

function constraintProblems(constraint: unknown, path: string): readonly string[] {
  if (!isObject(constraint)) return [`${path} is not an object`];
  const wrong = Object.entries(fieldChecks).flatMap(([field, check]) => {
    const problem = check(constraint[field]);
    return problem === undefined ? [] : [`${path}.${field} ${problem}`];
  });
  return [...wrong, ...unknownFieldProblems(constraint, path, Object.keys(fieldChecks))];
}

function duplicateProblems(constraints: readonly unknown[]): readonly string[] {
  const identities = constraints
    .filter(isObject)
    .map(({ topologyKey, whenUnsatisfiable }) => JSON.stringify([topologyKey, whenUnsatisfiable]));
  return identities.flatMap((identity, index) =>
    identities.indexOf(identity) === index
      ? []
      : [
          `podTopologySpread.defaultConstraints[${index}] repeats topologyKey and whenUnsatisfiable of an earlier one`,
        ],
  );
}

function unknownFieldProblems(fields: Fields, path: string, known: readonly string[]): readonly string[] {
  return Object.keys(fields)
    .filter((field) => !known.includes(field))
    .map((field) => `${path} has the unknown field ${JSON.stringify(field)}`);
}

function notAmong(value: unknown, choices: readonly string[]): string | undefined {
  return choices.some((choice) => choice === value) ? undefined : `is not ${choices.join(' or ')}`;
}

function isPositiveInteger(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function prefixed(problem: string): string {
  return `scheduler-config: ${problem}`;
}
