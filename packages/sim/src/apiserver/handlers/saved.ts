import type { Store } from '../store/index.ts';

const reads: ReadonlySet<string> = new Set(['get', 'list']);

/**
 * Makes sure that a reply says nothing that may still be undone. Handlers see changes before they are saved; a read
 * that saw some that were undone is made again. Writes wait for their own changes themselves, but a refusal may be
 * about a change of somebody else's: an object that exists already, or is not there any more.
 */
export function saved<T>(store: Store, verb: string, answer: () => Promise<T>): Promise<T> {
  return reads.has(verb) ? savedRead(store, answer) : savedWrite(store, answer);
}

async function savedRead<T>(store: Store, read: () => Promise<T>): Promise<T> {
  for (;;) {
    const before = store.lastRollback;
    const answer = await outcomeOf(read);
    await store.settled();
    if (store.lastRollback === before) return answer();
  }
}

async function savedWrite<T>(store: Store, write: () => Promise<T>): Promise<T> {
  const before = store.lastRollback;
  try {
    return await write();
  } catch (error) {
    await store.settled();
    const { lastRollback } = store;
    throw lastRollback === undefined || lastRollback === before ? error : lastRollback.error;
  }
}

/** A refusal is an answer, too. */
async function outcomeOf<T>(read: () => Promise<T>): Promise<() => T> {
  try {
    const value = await read();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
