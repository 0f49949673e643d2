import { StatusError } from '../status/status-error.ts';

/** Content of a continue token: the revision that the list shows, and the last key of the previous page. */
export interface ContinueToken {
  readonly revision: number;
  readonly after: string;
}

export function encodeContinue({ revision, after }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: after })).toString(
    'base64url',
  );
}

/** Throws 400 for anything that is not a token of this server. */
export function decodeContinue(text: string): ContinueToken {
  try {
    const token: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (isTokenBody(token)) return { revision: token.rv, after: token.start };
  } catch {
    // Not JSON: the error below is the same as for JSON of another shape.
  }
  throw new StatusError(
    400,
    'BadRequest',
    'invalid continue token: continue key is not valid: not a token of this server',
  );
}

function isTokenBody(token: unknown): token is { rv: number; start: string } {
  return (
    typeof token === 'object' &&
    token !== null &&
    'rv' in token &&
    Number.isSafeInteger(token.rv) &&
    'start' in token &&
    typeof token.start === 'string'
  );
}
