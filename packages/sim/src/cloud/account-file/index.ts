// Keeps a simulated account on disk: the file and its format (account-file.ts, account-lines.ts) and when it
// is written (account-keeper.ts). Touches only `simulated-account.jsonl` in the data directory. Start with
// AccountFile.
export { AccountFile } from './account-file.ts';
export { AccountKeeper } from './account-keeper.ts';
export { AccountWriter, readAccount } from './account-lines.ts';
export type { SavedAccount } from './saved-account.ts';
