import { join } from 'node:path';
import {
  checkedJson,
  checkedLine,
  type FileSystem,
  type OpenFile,
  systemCode,
  writeFileAtomically,
  writeFully,
} from '../../durable-files/index.ts';
import { damaged } from './journal-directory.ts';

const fileName = 'acknowledged';
const slotLength = 64;
const unreadable = -1;

export function markPath(directory: string): string {
  return join(directory, fileName);
}

/**
 * The highest revision in the file that was acknowledged to clients; undefined without the file. Throws
 * `damaged-data-directory` when neither slot is readable.
 */
export async function readMark(directory: string, files: FileSystem): Promise<number | undefined> {
  const slots = await readSlots(directory, files);
  if (slots === undefined) return undefined;
  const revision = Math.max(...slots);
  if (revision === unreadable) throw damaged(markPath(directory), undefined, 'neither of its lines is whole');
  return revision;
}

async function readSlots(directory: string, files: FileSystem): Promise<readonly number[] | undefined> {
  const text = await readText(markPath(directory), files);
  if (text === undefined) return undefined;
  return [text.slice(0, slotLength), text.slice(slotLength)].map(revisionIn);
}

async function readText(path: string, files: FileSystem): Promise<string | undefined> {
  try {
    return (await files.read(path)).toString('latin1');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function revisionIn(slot: string): number {
  const json = checkedJson(slot.trimEnd());
  return json === undefined ? unreadable : Number(json);
}

function slotText(revision: number): string {
  return `${checkedLine(String(revision))
    .trimEnd()
    .padEnd(slotLength - 1)}\n`;
}

/**
 * Records the highest revision that was acknowledged to clients, so that recovery can tell a log with a
 * missing end from one that was never longer.
 *
 * It is written after the log is on disk and before the reply, alternating between two slots, so that one is
 * always complete. It is not synced: a killed process loses nothing of it, and after a power failure it is
 * only older.
 */
export class AcknowledgedMark {
  readonly #file: OpenFile;
  #slot: number;

  private constructor(file: OpenFile, slot: number) {
    this.#file = file;
    this.#slot = slot;
  }

  /** Opens the file. The recovered revision counts as acknowledged from now on, since clients can read it. */
  static async open(directory: string, files: FileSystem, revision: number): Promise<AcknowledgedMark> {
    const path = markPath(directory);
    const slots = await readSlots(directory, files);
    if (slots === undefined) await writeFileAtomically(path, slotText(revision).repeat(2), files);
    const [first = unreadable, second = unreadable] = slots ?? [];
    const mark = new AcknowledgedMark(await files.open(path, 'r+'), first > second ? 1 : 0);
    if (slots !== undefined) await mark.write(revision);
    return mark;
  }

  async write(revision: number): Promise<void> {
    await writeFully(this.#file, Buffer.from(slotText(revision)), this.#slot * slotLength);
    this.#slot = 1 - this.#slot;
  }

  async close(): Promise<void> {
    try {
      await this.#file.sync();
    } finally {
      await this.#file.close();
    }
  }
}
