export { AccountFile, type AccountFileOptions } from './account-file.ts';
export { AccountKeeper, type AccountKeeperOptions } from './account-keeper.ts';
export type { SavedAccount } from './saved-account.ts';
