/**
 * Files that survive crashes and power failures: atomic replacement, checksummed lines and a lock on a
 * directory. Touches the files and the directory that callers name; knows nothing of what they contain. Start
 * with `file-system.ts`, the interface that tests replace.
 */
export { partSuffix, writeAtomically, writeFileAtomically } from './atomic-write.ts';
export { checkedJson, checkedLine } from './checked-line.ts';
export { type DirectoryLock, lockDirectory } from './directory-lock.ts';
export {
  type FileSystem,
  nodeFileSystem,
  type OpenFile,
  privateDirectoryMode,
  privateFileMode,
  systemCode,
  writeFully,
} from './file-system.ts';
