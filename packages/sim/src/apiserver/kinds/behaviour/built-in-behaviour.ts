import type { FieldError, JsonObject } from '@karpenter/core/schema';
import type { Steps } from '@karpenter/core/yielding';
import { StatusError } from '../../status/status-error.ts';
import { applyDefinitionDefaults } from '../defaults/apply-definition-defaults.ts';
import { decodeStruct, zeroStruct } from '../definitions/decode.ts';
import type { Definitions } from '../definitions/definitions.ts';
import { type Draft, draftOf, objectAt } from '../draft.ts';
import type { Decoded, FieldValidation, KindBehaviour } from '../served-kind.ts';
import type { ServedKindRules } from './kind-rules.ts';

export interface BuiltInKind {
  readonly version: string;
  readonly kind: string;
  /** Definition of the whole object. */
  readonly definition: string;
  readonly hasStatus: boolean;
  readonly rules: ServedKindRules;
}

/** Decodes, prepares and validates a built-in kind by its definition and its rules. */
export function builtInBehaviour(definitions: Definitions, kind: BuiltInKind): KindBehaviour {
  const { rules } = kind;
  let fresh: Fresh | undefined;
  const freshStatus = () => {
    fresh ??= { status: newStatus(definitions, kind.definition) };
    return fresh.status && draftOf(fresh.status);
  };
  return {
    // The conversion writes into the object, so it needs a copy of its own.
    decode: (body, fieldValidation, known) =>
      decode(definitions, kind, { body, fieldValidation, known: rules.convert ? undefined : known }),
    prepare: (object, old, subresource) => prepare(kind, freshStatus, { object, old, subresource }),
    validate: (object, old, subresource) => validate(rules, { object, old, subresource }),
    ...(rules.warnings ? { warnings: rules.warnings } : {}),
    ...(rules.nameProblems ? { nameProblems: rules.nameProblems } : {}),
  };
}

interface DecodeInput {
  readonly body: JsonObject;
  readonly fieldValidation: FieldValidation;
  readonly known: JsonObject | undefined;
}

function decode(
  definitions: Definitions,
  { version, kind, definition, rules }: BuiltInKind,
  { body, fieldValidation, known }: DecodeInput,
): Decoded {
  const { object, mismatch, unknownFields } = decodeStruct(definitions, definition, body, known);
  const opening = `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: `;
  if (mismatch !== undefined) throw new StatusError(400, 'BadRequest', `${opening}${mismatch}`);
  const findings = unknownFields.map((path) => `unknown field ${JSON.stringify(path)}`);
  if (fieldValidation === 'Strict' && findings.length > 0) {
    throw new StatusError(400, 'BadRequest', `${opening}strict decoding error: ${findings.join(', ')}`);
  }
  const draft: Draft = { ...object };
  rules.convert?.(draft);
  applyDefinitionDefaults(definitions, definition, draft, known);
  return { object: draft, warnings: fieldValidation === 'Warn' ? findings : [] };
}

interface ObjectWrite {
  readonly object: JsonObject;
  readonly old: JsonObject | undefined;
  readonly subresource: string | undefined;
}

function prepare(
  { hasStatus, rules }: BuiltInKind,
  freshStatus: () => Draft | undefined,
  { object, old, subresource }: ObjectWrite,
): JsonObject {
  if (subresource === 'status' && old) return rules.prepareStatus?.(object, old) ?? statusWrite(object, old);
  if (subresource !== undefined) return object;
  const draft = draftOf(object);
  if (hasStatus && !(old === undefined && rules.keepsStatusOnCreate)) {
    setStatus(draft, old ? old['status'] : freshStatus());
  }
  if (old) rules.prepareUpdate?.(draft, old);
  else rules.prepareCreate?.(draft);
  return draft;
}

function setStatus(draft: Draft, status: JsonObject[string] | undefined): void {
  if (status === undefined) delete draft['status'];
  else draft['status'] = status;
}

interface Fresh {
  readonly status: JsonObject | undefined;
}

/** The initial status of an object, defaults included. */
function newStatus(definitions: Definitions, definition: string): JsonObject | undefined {
  const draft: Draft = { ...zeroStruct(definitions, definition) };
  applyDefinitionDefaults(definitions, definition, draft);
  return objectAt(draft, 'status');
}

/** A write to the status changes the status, and of the metadata only what controllers keep there. */
function statusWrite(object: JsonObject, old: JsonObject): JsonObject {
  const draft: Draft = { ...object };
  for (const name of new Set([...Object.keys(object), ...Object.keys(old)])) {
    if (name === 'status' || name === 'metadata') continue;
    const before = old[name];
    if (before === undefined) delete draft[name];
    else draft[name] = before;
  }
  return draft;
}

function* validate(
  rules: ServedKindRules,
  { object, old, subresource }: ObjectWrite,
): Steps<readonly FieldError[]> {
  if (subresource === 'status') return rules.validateStatus?.(object, old) ?? [];
  if (subresource !== undefined) return [];
  return [
    ...(rules.validate?.(object, old) ?? []),
    ...(rules.validateInSteps ? yield* rules.validateInSteps(object) : []),
    ...(old ? (rules.validateUpdate?.(object, old) ?? []) : []),
  ];
}
