import { CodedError } from '@karpenter/core/errors';
import { systemCode } from '../../durable-files/index.ts';

const noSpace = 'the disk is full; free some space, then writes succeed again without a restart';
const noRight =
  'this process may not write there; give it the right, then writes succeed again without a restart';
const gone =
  'its log was deleted or replaced; put it back, or read out what you need and start with a new directory';

const causes: Readonly<Record<string, string>> = {
  ENOSPC: noSpace,
  EDQUOT: noSpace,
  EACCES: noRight,
  EPERM: noRight,
  EROFS: 'the file system is read-only; make it writable, then writes succeed again without a restart',
  ENOENT: gone,
  ENOTDIR: gone,
};

/** The error that writers receive when the journal cannot save: what failed and how to fix it. */
export function journalFailure(directory: string, cause: unknown): CodedError {
  const code = systemCode(cause) ?? 'unknown';
  const text = cause instanceof Error ? cause.message : String(cause);
  const why = causes[code] ?? `${text}; look after the disk, the next write tries again`;
  return new CodedError('unsaved-changes', `cannot save changes in the data directory ${directory}: ${why}`, {
    details: { directory, cause: code },
    cause,
  });
}

/** The error at shutdown when the last changes could not be saved. */
export function endedUnsaved(directory: string, { details }: CodedError): CodedError {
  const isGone = causes[String(details['cause'])] === gone;
  const message = isGone
    ? `the log in the data directory ${directory} was deleted or replaced while it was in use; what was in it is not saved`
    : `the last changes could not be saved in the data directory ${directory} (${details['cause']}) and were refused; everything acknowledged is saved`;
  return new CodedError('unsaved-changes', message, { details });
}
