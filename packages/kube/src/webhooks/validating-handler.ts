import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../client/index.ts';
import { isRecord } from '../client/index.ts';
import type { AdmissionHandler, AdmissionRequest } from './review.ts';

/** What is wrong with an object: errors refuse it, warnings are for its author. */
interface ValidationResult {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** Validates an object of one kind. */
export type ObjectValidator = (object: KubeObject) => ValidationResult;

const maxErrors = 10;

/**
 * Refuses objects for errors that they did not have before. An object that is being deleted, and a write that
 * leaves the spec as it is, always pass: finalizers, labels and annotations must stay writable whatever was
 * stored before the webhook was there. Errors that the stored object has already become warnings.
 */
export function validatingHandler(
  validatorOf: (request: AdmissionRequest) => ObjectValidator | undefined,
): AdmissionHandler {
  return (request) => {
    const { object, oldObject } = request;
    const validate = validatorOf(request);
    if (validate === undefined || object === undefined || isExempt(request)) return { allowed: true };
    const { errors, warnings } = validate(object);
    const known = new Set(
      errors.length > 0 && oldObject ? validate(oldObject).errors.map(withoutIndexes) : [],
    );
    const isKnown = (error: string) => known.has(withoutIndexes(error));
    const refused = errors.filter((error) => !isKnown(error));
    const all = [...warnings, ...errors.filter(isKnown)];
    if (refused.length === 0) return { allowed: true, warnings: all };
    return { allowed: false, code: 422, reason: 'Invalid', message: refusal(request, refused), warnings };
  };
}

/** Whether the write changes nothing that is validated. */
export function isExempt({ object, oldObject, subResource }: AdmissionRequest): boolean {
  // Reads the stored object, because a user can set `deletionTimestamp` in the new one.
  if (subResource !== undefined || oldObject?.metadata?.deletionTimestamp !== undefined) return true;
  return oldObject !== undefined && isDeepStrictEqual(specOf(object), specOf(oldObject));
}

function specOf(object: KubeObject | undefined): unknown {
  return isRecord(object) ? object['spec'] : undefined;
}

/** Drops list indexes, so that an error stays known when items are inserted before its own. Keeps values: `Gt [8]`. */
function withoutIndexes(error: string): string {
  return error.replaceAll(/(?<=\w)\[\d+\]/g, '[]');
}

function refusal({ kind, group, name, object }: AdmissionRequest, errors: readonly string[]): string {
  const listed = errors.slice(0, maxErrors);
  const others = errors.length - listed.length;
  const texts = others > 0 ? [...listed, `and ${others} more`] : listed;
  const [only] = texts;
  const subject = JSON.stringify(name || (object?.metadata?.name ?? object?.metadata?.generateName ?? ''));
  return `${kind}.${group} ${subject} is invalid: ${texts.length === 1 ? only : `[${texts.join(', ')}]`}`;
}
