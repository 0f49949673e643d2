import type { Steps } from '../../yielding/index.ts';
import { memberSchema } from '../apply-defaults.ts';
import { type FieldError, maxReportedErrors } from '../field-error.ts';
import { childPath } from '../field-path.ts';
import { isJsonObject, member } from '../json-value.ts';
import { tooMany } from './arrays.ts';
import type { Check, SchemaFindings, ValidatedSubject } from './findings.ts';

/** Validates every member that the schema describes. Others are left to pruning. */
export function* checkMembers(
  { schema, value, path, before }: ValidatedSubject,
  findings: SchemaFindings,
  check: Check,
): Steps<void> {
  if (!isJsonObject(value)) return;
  for (const [name, entry] of Object.entries(value)) {
    if (findings.isFull) return;
    const known = memberSchema(schema, name);
    if (!known) continue;
    const place = childPath(path, name);
    yield* check({ schema: known, value: entry, path: place, before: member(before, name) }, findings);
  }
}

export function checkMemberCount({ schema, value, path }: ValidatedSubject): FieldError[] {
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema;
  const count = Object.keys(value ?? {}).length;
  const errors: FieldError[] = [];
  if (count < minProperties) {
    const detail = `${path} in body should have at least ${minProperties} properties`;
    errors.push({ type: 'Invalid', field: path, value: count, detail });
  }
  if (count > maxProperties) errors.push(tooMany(path, count, maxProperties));
  return errors;
}

/** Stops after as many errors as are reported: a schema may require many names, and a list have many items. */
export function checkRequired({ schema, value, path }: ValidatedSubject): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of schema.required ?? []) {
    if (member(value, name) !== undefined) continue;
    errors.push({ type: 'Required', field: childPath(path, name) });
    if (errors.length > maxReportedErrors) break;
  }
  return errors;
}
