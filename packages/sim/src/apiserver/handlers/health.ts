import type { Reply } from '../http/reply.ts';
import type { OtherRequest } from '../http/request-info.ts';
import { methodNotAllowed } from '../status/status-errors.ts';
import type { Store } from '../store/index.ts';

const contentType = 'text/plain; charset=utf-8';

/**
 * Serves livez, readyz and healthz; undefined for other paths. When the journal cannot write, the server is
 * not ready but still live: a restart does not make room on a disk.
 */
export async function healthReply(store: Store, { path, verb }: OtherRequest): Promise<Reply | undefined> {
  const check = /^\/(healthz|readyz|livez)\/?$/.exec(path)?.[1];
  if (check === undefined) return undefined;
  if (verb !== 'get' && verb !== 'head') throw methodNotAllowed();
  const failure = check === 'livez' ? undefined : await store.failure();
  if (failure === undefined) return { code: 200, body: 'ok', contentType };
  const body = `[+]ping ok\n[-]storage failed: ${failure.message}\n${check} check failed\n`;
  return { code: 500, body, contentType };
}
