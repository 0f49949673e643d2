import { isJsonArray, type Json } from '@karpenter/core/schema';
import { StatusError } from '../status/status-error.ts';

/** The patch does not parse. */
export function malformedPatch(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

/** The patch parses but cannot be applied to this object. kube-apiserver does not say which part failed. */
export function inapplicablePatch(): StatusError {
  const message = 'the server rejected our request due to an error in our request';
  return new StatusError(422, 'Invalid', message, {});
}

/** kube-apiserver reports these as internal errors. Here they are a 422, because the client can correct the patch. */
export function failedPatch(message: string): StatusError {
  return new StatusError(422, 'Invalid', message, {});
}

/** The message of Go's JSON decoder for a value of the wrong type. */
export function cannotUnmarshal(value: Json, target: string): string {
  const found = isJsonArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${found} into Go ${target}`;
}

export function notAMap(value: Json): string {
  return cannotUnmarshal(value, 'value of type map[string]interface {}');
}
