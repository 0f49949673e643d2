/**
 * A file system in memory with failures, kills and power loss, for tests of the journal and the account file.
 */
export { type DiskCall, SimulatedDisk } from './simulated-disk.ts';
