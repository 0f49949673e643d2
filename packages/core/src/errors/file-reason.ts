const noSpace = 'the disk is full; free some space';
const noRight = 'permission denied; check who owns it and its mode';

/** Reasons that hold for reading and writing. */
const shared: Readonly<Record<string, string>> = {
  EACCES: noRight,
  EPERM: noRight,
  ENOSPC: noSpace,
  EDQUOT: noSpace,
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is a file, not a folder',
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'this process has too many files open',
  ENFILE: 'this machine has too many files open',
  EBUSY: 'another program uses it',
  EIO: 'the disk failed',
};

const ofReading: Readonly<Record<string, string>> = {
  ...shared,
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder; name the files in it',
  ERR_FS_FILE_TOO_LARGE: 'it is too large',
};

const ofWriting: Readonly<Record<string, string>> = {
  ...shared,
  ENOENT: 'its folder does not exist',
  EISDIR: 'it is a folder; name a file',
  EEXIST: 'a file of that name is in the way',
  ENOTEMPTY: 'the folder is not empty',
};

/** What went wrong with a file, in words: errors of the operating system have a code such as `ENOENT`. */
export function fileReason(error: unknown, use: 'read' | 'write'): string {
  const reasons = use === 'read' ? ofReading : ofWriting;
  const known = reasons[systemErrorCode(error) ?? ''];
  if (known !== undefined) return known;
  return error instanceof Error ? error.message : String(error);
}

/** Whether `fileReason` has words of its own for the error. */
export function isFileError(error: unknown): boolean {
  const code = systemErrorCode(error) ?? '';
  return Object.hasOwn(ofReading, code) || Object.hasOwn(ofWriting, code);
}

function systemErrorCode(error: unknown): string | undefined {
  const isCoded = error instanceof Error && 'code' in error && typeof error.code === 'string';
  return isCoded ? String(error.code) : undefined;
}
