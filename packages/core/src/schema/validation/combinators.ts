import type { Steps } from '../../yielding/index.ts';
import type { FieldError } from '../field-error.ts';
import type { JsonSchema } from '../json-schema.ts';
import { type Check, SchemaFindings, type ValidatedSubject } from './findings.ts';

export function hasCombinators({ anyOf, oneOf, not, allOf }: JsonSchema): boolean {
  return anyOf !== undefined || oneOf !== undefined || not !== undefined || allOf !== undefined;
}

/** `anyOf`, `oneOf`, `not` and `allOf`. Ratcheting does not apply to their branches. */
export function* checkCombinators(
  subject: ValidatedSubject,
  findings: SchemaFindings,
  check: Check,
): Steps<void> {
  const { schema, path } = subject;
  const branches = new Branches(subject, check);
  if (schema.anyOf) yield* anyOf(schema.anyOf, branches, findings);
  if (schema.oneOf) yield* oneOf(schema.oneOf, branches, findings);
  if (schema.not && (yield* branches.check(schema.not)).isValid) {
    findings.add([failed(path, 'must not validate the schema (not)')]);
  }
  if (schema.allOf) yield* allOf(schema.allOf, branches, findings);
}

/** Checks one value against the branches of its schema. */
class Branches {
  readonly path: string;
  readonly #value: ValidatedSubject['value'];
  readonly #check: Check;

  constructor({ value, path }: ValidatedSubject, check: Check) {
    this.path = path;
    this.#value = value;
    this.#check = check;
  }

  *check(schema: JsonSchema): Steps<SchemaFindings> {
    const findings = new SchemaFindings();
    yield* this.#check({ schema, value: this.#value, path: this.path }, findings);
    return findings;
  }
}

/** As in the API server, these messages name the path in their text and have no field. */
function failed(path: string, words: string): FieldError {
  return { type: 'Invalid', field: '', value: '', detail: `"${path}" ${words}` };
}

/** The branch that got furthest, whose errors the API server reports beside its own. */
function closer(best: SchemaFindings | undefined, next: SchemaFindings): SchemaFindings {
  return best === undefined || next.weight > best.weight ? next : best;
}

/** Stops at the first valid branch. */
function* anyOf(schemas: readonly JsonSchema[], branches: Branches, findings: SchemaFindings): Steps<void> {
  let closest: SchemaFindings | undefined;
  for (const schema of schemas) {
    const found = yield* branches.check(schema);
    if (found.isValid) {
      findings.weight += found.weight;
      return;
    }
    closest = closer(closest, found);
  }
  findings.add([failed(branches.path, 'must validate at least one schema (anyOf)')]);
  if (closest) findings.addAll(closest);
}

function* oneOf(schemas: readonly JsonSchema[], branches: Branches, findings: SchemaFindings): Steps<void> {
  let closest: SchemaFindings | undefined;
  let valid = 0;
  let weight = 0;
  for (const schema of schemas) {
    const found = yield* branches.check(schema);
    if (!found.isValid) closest = closer(closest, found);
    else {
      valid += 1;
      weight = found.weight;
    }
  }
  if (valid === 1) {
    findings.weight += weight;
    return;
  }
  const words = 'must validate one and only one schema (oneOf).';
  const count = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
  findings.add([failed(branches.path, `${words} ${count}`)]);
  if (closest && valid === 0) findings.addAll(closest);
}

function* allOf(schemas: readonly JsonSchema[], branches: Branches, findings: SchemaFindings): Steps<void> {
  let valid = 0;
  for (const schema of schemas) {
    const found = yield* branches.check(schema);
    if (found.isValid) valid += 1;
    findings.addAll(found);
  }
  if (valid === schemas.length) return;
  const none = valid > 0 ? '' : '. None validated';
  findings.add([failed(branches.path, `must validate all the schemas (allOf)${none}`)]);
}
