import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { type FileSystem, nodeFileSystem, type OpenFile, writeFully } from './file-system.ts';

/** What the names of files end in that were never finished. */
export const partSuffix = '.part';

/**
 * Replaces a file so that after a crash or a loss of power the old content is there or the new one, whole. The new
 * file is readable by its owner only, from its first byte on. When it fails, the old content stays.
 */
export async function writeFileAtomically(
  path: string,
  text: string,
  files: FileSystem = nodeFileSystem,
): Promise<void> {
  await writeAtomically(path, files, (file) => writeFully(file, Buffer.from(text), 0));
}

/** As `writeFileAtomically`, for content that is written in pieces. */
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
    // What is wrong with the disk may also keep this from being removed; the first failure is the one to report.
    await files.remove(part).catch(() => undefined);
    throw error;
  }
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
