/**
 * A file system in memory with failures, kills and power loss, for tests of the journal and the account file.
 * It touches no real file. Start with `simulated-disk.ts`.
 */
export { type DiskCall, SimulatedDisk } from './simulated-disk.ts';
