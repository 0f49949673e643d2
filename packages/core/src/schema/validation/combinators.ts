import type { FieldError } from '../field-error.ts';
import type { JsonSchema } from '../json-schema.ts';
import { type Check, merge, nothing, type ValidatedSubject, type ValidationOutcome } from './outcome.ts';

/** `anyOf`, `oneOf`, `not` and `allOf`. Ratcheting does not apply to their branches. */
export function checkCombinators({ schema, value, path }: ValidatedSubject, check: Check): ValidationOutcome {
  const branch = (alternative: JsonSchema): ValidationOutcome => check({ schema: alternative, value, path });
  return merge([
    schema.anyOf ? anyOf(schema.anyOf.map(branch), path) : nothing,
    schema.oneOf ? oneOf(schema.oneOf.map(branch), path) : nothing,
    schema.not && holds(branch(schema.not)) ? failed(path, 'must not validate the schema (not)') : nothing,
    schema.allOf ? allOf(schema.allOf.map(branch), path) : nothing,
  ]);
}

const holds = ({ errors }: ValidationOutcome): boolean => errors.length === 0;

/** These messages name the place in their text and have no field. */
function failed(path: string, words: string): ValidationOutcome {
  const error: FieldError = { type: 'Invalid', field: '', value: '', detail: `"${path}" ${words}` };
  return { errors: [error], weight: 0 };
}

/** The branch that got furthest, whose errors the API server reports beside its own. */
function closest(outcomes: readonly ValidationOutcome[]): ValidationOutcome {
  return outcomes.reduce((best, next) => (next.weight > best.weight ? next : best), outcomes[0] ?? nothing);
}

function anyOf(outcomes: readonly ValidationOutcome[], path: string): ValidationOutcome {
  const first = outcomes.find(holds);
  if (first) return first;
  return merge([failed(path, 'must validate at least one schema (anyOf)'), closest(outcomes)]);
}

function oneOf(outcomes: readonly ValidationOutcome[], path: string): ValidationOutcome {
  const valid = outcomes.filter(holds);
  const [first] = valid;
  const words = 'must validate one and only one schema (oneOf).';
  if (!first) return merge([failed(path, `${words} Found none valid`), closest(outcomes)]);
  if (valid.length === 1) return first;
  return failed(path, `${words} Found ${valid.length} valid alternatives`);
}

function allOf(outcomes: readonly ValidationOutcome[], path: string): ValidationOutcome {
  const all = merge(outcomes);
  if (holds(all)) return all;
  const none = outcomes.some(holds) ? '' : '. None validated';
  return merge([all, failed(path, `must validate all the schemas (allOf)${none}`)]);
}
