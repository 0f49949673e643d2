import { CodedError, fileReason, isFileError } from '@karpenter/core/errors';

export function unreadable(path: string, cause: unknown): CodedError {
  return new CodedError('unreadable-file', `cannot read ${path}: ${fileReason(cause, 'read')}`, {
    details: { path },
    cause,
  });
}

/** `advice` is what the user can do instead, such as a flag that names another place. */
export function unwritable(path: string, cause: unknown, advice?: string): CodedError {
  const ending = advice === undefined ? '' : `; ${advice}`;
  return new CodedError('unwritable-file', `cannot write ${path}: ${fileReason(cause, 'write')}${ending}`, {
    details: { path },
    cause,
  });
}

/** System calls that only a writer makes; `open` may be either. */
const writing = new Set([
  'write',
  'mkdir',
  'rename',
  'unlink',
  'rmdir',
  'ftruncate',
  'fsync',
  'chmod',
  'link',
]);

/**
 * An error of the operating system about a file that nobody translated, as a sentence; undefined for every other
 * error, which is a bug.
 */
export function untranslatedFileError(error: unknown): CodedError | undefined {
  if (!isFileError(error)) return undefined;
  const { path, syscall = '' } = error as NodeJS.ErrnoException;
  if (path === undefined) return undefined;
  return writing.has(syscall) ? unwritable(path, error) : unreadable(path, error);
}
