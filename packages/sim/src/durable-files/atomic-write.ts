import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { type FileSystem, nodeFileSystem, type OpenFile, writeFully } from './file-system.ts';

/** Suffix of temporary files. One that is found at start was never finished and can be removed. */
export const partSuffix = '.part';

/**
 * Replaces a file atomically: after a crash or a power failure it has either the old content or the new one,
 * complete. The file is readable by its owner only from its first byte. On failure the old content stays.
 */
export async function writeFileAtomically(
  path: string,
  text: string,
  files: FileSystem = nodeFileSystem,
): Promise<void> {
  await writeAtomically(path, files, (file) => writeFully(file, Buffer.from(text), 0));
}

/** Like `writeFileAtomically`, for content that is written in parts. */
export async function writeAtomically(
  path: string,
  files: FileSystem,
  write: (file: OpenFile) => Promise<void>,
): Promise<void> {
  const part = `${path}.${randomBytes(4).toString('hex')}${partSuffix}`;
  try {
    await writeNew(part, files, write);
    await files.rename(part, path);
  } catch (error) {
    // A broken disk may also prevent the removal; the first error is the one to report.
    await files.remove(part).catch(() => undefined);
    throw error;
  }
  // The rename is durable only after the directory is synced.
  await files.syncDirectory(dirname(path));
}

async function writeNew(
  path: string,
  files: FileSystem,
  write: (file: OpenFile) => Promise<void>,
): Promise<void> {
  const file = await files.open(path, 'wx');
  try {
    await write(file);
    await file.sync();
  } finally {
    await file.close();
  }
}
