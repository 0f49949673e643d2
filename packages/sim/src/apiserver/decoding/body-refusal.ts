import { StatusError } from '../status/status-error.ts';

const shownBytes = 30;

/** The body is not even an object of some kind; `kind` is the one that the path asks for. */
export function unrecognizedBody(kind: string, body: Uint8Array, problem: string): StatusError {
  const message = `the object provided is unrecognized (must be of type ${kind}): ${problem} (${summary(body)})`;
  return new StatusError(400, 'BadRequest', message);
}

/** Bodies that look like JSON are shown, others printed in hexadecimal digits. */
function summary(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const start = Buffer.from(body.subarray(0, shownBytes));
  const text = start.toString(start[0] === 0x7b ? 'utf8' : 'hex');
  return body.length > shownBytes ? `${text} ...` : text;
}

/** The body is of the right kind, but a value in it cannot be taken over. */
export function unusableBody(kind: string, apiVersion: string, problem: string): StatusError {
  const version = apiVersion.slice(apiVersion.lastIndexOf('/') + 1);
  const message = `${kind} in version "${version}" cannot be handled as a ${kind}: ${problem}`;
  return new StatusError(400, 'BadRequest', message);
}
