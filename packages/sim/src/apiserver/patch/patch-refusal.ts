import { isJsonArray, type Json } from '@karpenter/core/schema';
import { StatusError } from '../status/status-error.ts';

/** The patch itself cannot be read. */
export function malformedPatch(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

/** The patch can be read but not carried out on this object; the server does not say which part of it failed. */
export function inapplicablePatch(): StatusError {
  const message = 'the server rejected our request due to an error in our request';
  return new StatusError(422, 'Invalid', message, {});
}

/** Errors that the server did not foresee as the client's reach it as internal ones. */
export function failedPatch(message: string): StatusError {
  return new StatusError(500, 'InternalError', message);
}

/** What Go's JSON decoder says of a value that is not of the type it wants. */
export function cannotUnmarshal(value: Json, target: string): string {
  const found = isJsonArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${found} into Go ${target}`;
}

export function notAMap(value: Json): string {
  return cannotUnmarshal(value, 'value of type map[string]interface {}');
}
