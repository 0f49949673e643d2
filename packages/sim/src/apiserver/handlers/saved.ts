import type { Store } from '../store/index.ts';

const reads: ReadonlySet<string> = new Set(['get', 'list']);

/**
 * Makes sure that a reply reports nothing that a rollback may undo. Handlers see changes before the journal
 * has flushed them. A read that saw a change which was rolled back is repeated.
 *
 * Writes wait for their own changes themselves. But an error may come from the change of another request, such as
 * "already exists"; if that change was rolled back, the write fails with the storage error instead.
 */
export function saved<T>(store: Store, verb: string, handle: () => Promise<T>): Promise<T> {
  return reads.has(verb) ? savedRead(store, handle) : savedWrite(store, handle);
}

async function savedRead<T>(store: Store, read: () => Promise<T>): Promise<T> {
  for (;;) {
    const before = store.lastRollback;
    const outcome = await outcomeOf(read);
    await store.settled();
    if (store.lastRollback === before) return outcome();
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

/** Captures the error of a read too: a 404 may come from a deletion that is rolled back. */
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
