export type { Change } from './change.ts';
export { Entry, metadataOf } from './entry.ts';
export { FileJournal } from './file-journal.ts';
export { type Journal, memoryJournal } from './journal.ts';
export { damaged } from './journal-directory.ts';
export { Store, type StoreOptions } from './store.ts';
