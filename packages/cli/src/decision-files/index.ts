// The log of decisions on disk, for `karpenter dev --data-dir`: lines of decisions (`decision-lines.ts`) and the
// clusters they were made from (`cluster-files.ts`), both bounded. Start reading at `saved-log.ts`. Losing the last
// of them in a crash does no harm, so nothing here is synced to the disk, and no failure stops the controllers.

export { openSavedLog, type SavedLog } from './saved-log.ts';
