import { Refusal } from '../../cloud/index.ts';

/** The JSON of a request; an empty body is an empty object. */
export function jsonBody(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('SerializationException', 'The body of the request is not JSON');
  }
}
