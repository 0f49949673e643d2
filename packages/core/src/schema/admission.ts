import { runAtOnce, type Steps } from '../yielding/index.ts';
import { type AdmissionRefusal, badRequest, invalid } from './admission-refusal.ts';
import { applyDefaults } from './apply-defaults.ts';
import type { CustomResourceDefinition, CustomResourceVersion } from './custom-resource-definition.ts';
import { checkEmbeddedResources } from './embedded-resources.ts';
import { type FieldError, type FieldErrorType, fieldErrorText } from './field-error.ts';
import type { JsonObject, JsonSchema } from './json-schema.ts';
import { objectOf } from './json-value.ts';
import { checkListTypes } from './list-types.ts';
import { findMetaMismatch } from './object-meta.ts';
import { prune } from './prune.ts';
import { hasRules, type PatternMatcher, type RuleChecker } from './rule-checker.ts';
import { checkScale } from './scale.ts';
import { validateInSteps } from './validate.ts';

export interface SchemaAdmissionRequest {
  readonly definition: CustomResourceDefinition;
  /** The version of the endpoint; defaults to the apiVersion of the object. */
  readonly version?: string;
  readonly object: JsonObject;
  /** The stored object that an update replaces; absent on create. */
  readonly oldObject?: JsonObject;
  /** Set on a write to `/status`, where only the status of the object counts. */
  readonly subresource?: 'status';
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
  readonly rules: RuleChecker;
}

export interface Admitted {
  readonly code: 200 | 201;
  /** Pruned and defaulted; metadata unchanged. */
  readonly object: JsonObject;
  /** Texts for `Warning` headers. */
  readonly warnings: readonly string[];
}

/**
 * What an API server does with a custom resource between decoding its JSON and storing it. Returns the
 * refusal instead of throwing.
 */
export function admitCustomResource(request: SchemaAdmissionRequest): Admitted | AdmissionRefusal {
  const { definition, object, oldObject, subresource, rules } = request;
  const version = versionFor(request);
  if (!version) return wrongVersion(request);
  const decoded = decodeCustomResource(request, version);
  if ('code' in decoded) return decoded;
  const schema = version.schema.openAPIV3Schema;
  const before = oldObject && readCustomResource(version, oldObject);
  const candidate = prepareCustomResource({ version, object: decoded.object, before, subresource });
  const findings = runAtOnce(checkCustomResource({ version, object: candidate, before, subresource, rules }));
  const errors = findings.filter(({ ratcheted }) => !ratcheted);
  if (errors.length > 0) return invalid(definition.spec.group, object, errors);
  return {
    code: oldObject ? 200 : 201,
    object: applyDefaults(schema, candidate),
    warnings: [...decoded.warnings, ...findings.map(fieldErrorText)],
  };
}

/** The served version, if the object and the endpoint agree on it. */
function versionFor({
  definition,
  version,
  object,
}: SchemaAdmissionRequest): CustomResourceVersion | undefined {
  const { group, versions } = definition.spec;
  const wanted = version ?? String(object['apiVersion']).split('/').at(-1);
  if (object['apiVersion'] !== `${group}/${wanted}`) return undefined;
  return versions.find(({ name, served }) => served && name === wanted);
}

function wrongVersion({ definition, version, object }: SchemaAdmissionRequest): AdmissionRefusal {
  const { group, versions } = definition.spec;
  const expected = version ?? versions.find(({ storage }) => storage)?.name ?? '';
  return badRequest(
    `the API version in the data (${object['apiVersion']}) does not match the expected API version ` +
      `(${group}/${expected})`,
  );
}

function checkKind({ spec }: CustomResourceDefinition, object: JsonObject): FieldError | undefined {
  const kind = object['kind'] ?? '';
  if (kind === spec.names.kind) return undefined;
  return { type: 'Invalid', field: 'kind', value: kind, detail: `must be ${spec.names.kind}` };
}

export interface DecodedCustomResource {
  readonly object: JsonObject;
  readonly warnings: readonly string[];
}

/** First step: checks the kind, prunes unknown fields and applies defaults. */
export function decodeCustomResource(
  {
    definition,
    object,
    fieldValidation,
  }: Pick<SchemaAdmissionRequest, 'definition' | 'object' | 'fieldValidation'>,
  version: CustomResourceVersion,
): DecodedCustomResource | AdmissionRefusal {
  const wrongKind = checkKind(definition, object);
  if (wrongKind) return invalid(definition.spec.group, object, [wrongKind]);
  const { kind } = definition.spec.names;
  const refused = (problem: string): AdmissionRefusal =>
    badRequest(`${kind} in version "${version.name}" cannot be handled as a ${kind}: ${problem}`);
  const problem = findMetaMismatch(object['metadata'] ?? {});
  if (problem) return refused(problem);
  const schema = version.schema.openAPIV3Schema;
  const pruned = prune(schema, object, { isResource: true });
  const unknown = pruned.unknownFields.map((field) => `unknown field "${field}"`);
  if (fieldValidation === 'Strict' && unknown.length > 0) {
    return refused(`strict decoding error: ${unknown.join(', ')}`);
  }
  return {
    object: applyDefaults(schema, pruned.value),
    warnings: fieldValidation === 'Warn' ? unknown : [],
  };
}

/** Reads a stored object through the current schema; it may have been accepted by an older one. */
export function readCustomResource({ schema }: CustomResourceVersion, stored: JsonObject): JsonObject {
  const { openAPIV3Schema } = schema;
  return applyDefaults(openAPIV3Schema, prune(openAPIV3Schema, stored, { isResource: true }).value);
}

export interface CustomResourceWrite {
  readonly version: CustomResourceVersion;
  readonly object: JsonObject;
  /** Absent on create. */
  readonly before: JsonObject | undefined;
  readonly subresource: 'status' | undefined;
}

/**
 * Second step: with a status subresource, writes to the resource keep the status, and writes to the status
 * everything else.
 */
export function prepareCustomResource({
  version,
  object,
  before,
  subresource,
}: CustomResourceWrite): JsonObject {
  if (!version.subresources?.status) return object;
  return subresource === 'status' && before ? withStatusOf(before, object) : withStatusOf(object, before);
}

function withStatusOf(object: JsonObject, source: JsonObject | undefined): JsonObject {
  const rest = Object.entries(object).filter(([name]) => name !== 'status');
  const status = source?.['status'];
  return objectOf(status === undefined ? rest : [...rest, ['status', status]]);
}

/** Error types that skip all CEL rules, as in the API server: rules need a value of the right shape. */
const skipsRules: ReadonlySet<FieldErrorType> = new Set([
  'NotSupported',
  'Required',
  'TooLong',
  'TooMany',
  'TypeInvalid',
]);

/** Added when rules were skipped, in the API server's words. */
const rulesSkipped: FieldError = {
  type: 'Invalid',
  field: '',
  value: null,
  detail:
    'some validation rules were not checked because the object was invalid; ' +
    'correct the existing errors to complete validation',
};

/**
 * Third step: validates, in steps so that the caller can yield. Problems that an update leaves unchanged are marked
 * `ratcheted`.
 */
export function* checkCustomResource({
  version,
  object,
  before,
  subresource,
  rules,
}: CustomResourceWrite & { readonly rules: RuleChecker }): Steps<readonly FieldError[]> {
  const schema = version.schema.openAPIV3Schema;
  const validated =
    subresource === 'status'
      ? yield* validateStatus(schema, { object, before }, rules)
      : yield* validateInSteps(schema, object, { ...(before && { before }), patterns: rules });
  const embedded = checkEmbeddedResources(schema, object);
  yield;
  const repeated = newListTypeErrors(schema, object, before);
  yield;
  const errors = [...validated, ...embedded, ...repeated, ...checkScale(version, object)];
  if (!hasRules(schema)) return errors;
  if (errors.some(({ type }) => skipsRules.has(type))) return [...errors, rulesSkipped];
  return [...errors, ...(yield* rules.check({ schema, self: object, oldSelf: before, path: '' }))];
}

/**
 * A write to the status is validated on the status alone, so the paths in the texts start there; only the
 * field is prefixed with `status`.
 */
function* validateStatus(
  schema: JsonSchema,
  { object, before }: Pick<CustomResourceWrite, 'object' | 'before'>,
  patterns: PatternMatcher,
): Steps<readonly FieldError[]> {
  const statusSchema = schema.properties?.['status'];
  const { status } = object;
  if (statusSchema === undefined || status === undefined) return [];
  const earlier = before?.['status'];
  const found = yield* validateInSteps(statusSchema, status, {
    ...(earlier === undefined ? {} : { before: earlier }),
    patterns,
  });
  return found.map((error) => ({ ...error, field: error.field === '' ? 'status' : `status.${error.field}` }));
}

/** An object that already had repeated items may keep them. */
function newListTypeErrors(
  schema: JsonSchema,
  object: JsonObject,
  before: JsonObject | undefined,
): FieldError[] {
  if (before && checkListTypes(schema, before).length > 0) return [];
  return checkListTypes(schema, object);
}
