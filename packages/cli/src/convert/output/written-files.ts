import { randomUUID } from 'node:crypto';
import { chmod, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { unwritable } from '../../file-errors.ts';

export interface TextToWrite {
  readonly path: string;
  readonly text: string;
}

/**
 * Writes files so that each is either the old or the new one: all texts are on disk beside their files before the first
 * file is replaced. Throws `unwritable-file`.
 */
export async function writeFiles(files: readonly TextToWrite[]): Promise<void> {
  const prepared: PreparedFile[] = [];
  try {
    for (const file of files) prepared.push(await prepare(file));
    for (const { temporary, path } of prepared) await written(path, () => rename(temporary, path));
  } catch (error) {
    await Promise.all(prepared.map(({ temporary }) => rm(temporary, { force: true })));
    throw error;
  }
}

interface PreparedFile {
  readonly path: string;
  readonly temporary: string;
}

/** A link stays a link: the file that it leads to is replaced. */
async function prepare({ path, text }: TextToWrite): Promise<PreparedFile> {
  return written(path, async () => {
    await mkdir(dirname(path), { recursive: true });
    const target = await realpath(path).catch(() => path);
    const temporary = `${target}.${randomUUID()}.tmp`;
    try {
      await writeFile(temporary, text);
      const existing = await stat(target).catch(() => undefined);
      if (existing !== undefined) await chmod(temporary, existing.mode);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    return { path: target, temporary };
  });
}

async function written<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw unwritable(path, error);
  }
}
