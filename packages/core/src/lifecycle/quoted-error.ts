import { lifecycleTuning } from '../api/index.ts';

/** As much of an error's text as a condition or an event quotes. */
export function quotedError(text: string): string {
  const most = lifecycleTuning.maxQuotedErrorLength;
  return text.length < most ? text : `${text.slice(0, most)}...`;
}
