import { invalidValue } from '../errors/index.ts';
import { readDuration } from './duration.ts';

/** A duration or `Never`. Keeps the original text, so that writing the object back changes nothing. */
export interface NillableDuration {
  readonly text: string;
  /** Undefined for `Never`. */
  readonly ns?: bigint;
}

export const neverDuration: NillableDuration = Object.freeze({ text: 'Never' });

/** Parses a duration or `Never`. */
export function parseNillableDuration(text: string, field = 'duration'): NillableDuration {
  if (text === neverDuration.text) return neverDuration;
  const ns = readDuration(text);
  if (ns !== undefined) return { text, ns };
  throw invalidValue({
    code: 'invalid-duration',
    field,
    value: text,
    expected: 'a duration',
    advice: 'write numbers with units (ns, us, ms, s, m, h), such as 90s or 720h, or Never',
  });
}
