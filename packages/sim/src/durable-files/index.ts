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
