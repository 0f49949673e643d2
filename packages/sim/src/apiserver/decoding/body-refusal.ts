import { StatusError } from '../status/status-error.ts';

const shownBytes = 30;

/** The body does not decode as an object of any kind; `kind` is the kind of the path. */
export function unrecognizedBody(kind: string, body: Uint8Array, problem: string): StatusError {
  const message = `the object provided is unrecognized (must be of type ${kind}): ${problem} (${summary(body)})`;
  return new StatusError(400, 'BadRequest', message);
}

/** The start of the body: as text if it looks like JSON, else in hexadecimal. */
function summary(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const start = Buffer.from(body.subarray(0, shownBytes));
  const text = start.toString(start[0] === 0x7b ? 'utf8' : 'hex');
  return body.length > shownBytes ? `${text} ...` : text;
}

/** The body has the right kind, but contains a value that cannot be decoded. */
export function unusableBody(kind: string, apiVersion: string, problem: string): StatusError {
  const version = apiVersion.slice(apiVersion.lastIndexOf('/') + 1);
  const message = `${kind} in version "${version}" cannot be handled as a ${kind}: ${problem}`;
  return new StatusError(400, 'BadRequest', message);
}
