import { StatusError } from '../status/status-error.ts';

/** Undefined when the client does not care. */
export function parseResourceVersion(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  if (!/^\d+$/.test(text)) {
    throw new StatusError(
      400,
      'BadRequest',
      `invalid resource version: resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`,
    );
  }
  return Number(text);
}

/** A version nobody has seen yet; the real server waits a while for it and then says the same. */
export function tooLarge(wanted: number, current: number): StatusError {
  return new StatusError(
    504,
    'Timeout',
    `Timeout: Too large resource version: ${wanted}, current: ${current}`,
    {
      causes: [{ reason: 'ResourceVersionTooLarge', field: '', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  );
}

export function expired(message: string): StatusError {
  return new StatusError(410, 'Expired', message);
}
