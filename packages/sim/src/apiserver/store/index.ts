/**
 * The storage of the API server, in place of etcd: objects in memory under one revision, and a journal on
 * disk. Only the journal and its helpers touch files. Start with store.ts, then journal.ts and
 * file-journal.ts.
 */
export type { StoreChange } from './change.ts';
export { Entry, metadataOf } from './entry.ts';
export { FileJournal } from './file-journal.ts';
export { memoryJournal } from './journal.ts';
export { damaged } from './journal-directory.ts';
export { maxObjectBytes, tooLargeToStore } from './object-limit.ts';
export { recover } from './recovery.ts';
export { Store } from './store.ts';
