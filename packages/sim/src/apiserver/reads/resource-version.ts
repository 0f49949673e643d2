import { StatusError } from '../status/status-error.ts';

/** Undefined when the client does not care. */
export function parseResourceVersion(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  if (!/^\d+$/.test(text)) throw unreadable(text, 'invalid syntax');
  const version = BigInt(text);
  if (BigInt.asUintN(64, version) !== version) throw unreadable(text, 'value out of range');
  return Number(version);
}

function unreadable(text: string, why: string): StatusError {
  const parsing = `strconv.ParseUint: parsing "${text}": ${why}`;
  const message = `invalid resource version: resourceVersion: Invalid value: "${text}": ${parsing}`;
  return new StatusError(400, 'BadRequest', message);
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
