import { StatusError } from '../status/status-error.ts';

/** Undefined when the client sends none. Errors have the text of Go's strconv, which clients see. */
export function parseResourceVersion(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  if (!/^\d+$/.test(text)) throw invalidVersion(text, 'invalid syntax');
  const version = BigInt(text);
  if (BigInt.asUintN(64, version) !== version) throw invalidVersion(text, 'value out of range');
  return Number(version);
}

function invalidVersion(text: string, why: string): StatusError {
  const parsing = `strconv.ParseUint: parsing "${text}": ${why}`;
  const message = `invalid resource version: resourceVersion: Invalid value: "${text}": ${parsing}`;
  return new StatusError(400, 'BadRequest', message);
}

/**
 * For a revision that does not exist yet. kube-apiserver waits a while for it and then returns the same
 * error.
 */
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
