import { readFile } from 'node:fs/promises';
import { CodedError } from '@karpenter/core/errors';
import type { CredentialSource, Credentials } from '../client/index.ts';
import type { Clock, Instant } from '../runtime/index.ts';

/** As in client-go: the kubelet rotates projected tokens long before they expire. */
const freshForMs = 60_000;

/**
 * Credentials of a token file that is rotated, such as a service
 * account token. Rereads it every minute and after a 401.
 */
export function tokenFileCredentials(path: string, clock: Clock): CredentialSource {
  let known: { readonly credentials: Credentials; readonly until: Instant } | undefined;
  return {
    async current() {
      if (known === undefined || clock.now() >= known.until) {
        const token = await readToken(path);
        known = { credentials: { authorization: `Bearer ${token}` }, until: clock.now() + freshForMs };
      }
      return known.credentials;
    },
    renew() {
      known = undefined;
      return true;
    },
  };
}

async function readToken(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    throw new CodedError(
      'credentials-failed',
      `cannot read the token of ${path}: it is missing or unreadable`,
      {
        cause: error,
      },
    );
  }
}
