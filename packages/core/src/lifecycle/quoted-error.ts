import { lifecycleTuning } from '../api/index.ts';

/** Truncates the text of an error for a condition or an event. A text of exactly the maximum gets the dots too. */
export function quotedError(text: string): string {
  const maxLength = lifecycleTuning.maxQuotedErrorLength;
  return text.length < maxLength ? text : `${text.slice(0, maxLength)}...`;
}
