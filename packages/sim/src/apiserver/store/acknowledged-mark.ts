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

/** The revision that clients have been answered up to, as far as the file knows; undefined without the file. */
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
 * Says up to where clients have been answered, so that a log whose end is missing differs from one that was never
 * longer. It is written after the log is on disk and before the answer, into one of two places in turn: while one is
 * being written the other is whole. It is not synced: a killed process loses nothing of it, and a loss of power only
 * makes it say less.
 */
export class AcknowledgedMark {
  readonly #file: OpenFile;
  #slot: number;

  private constructor(file: OpenFile, slot: number) {
    this.#file = file;
    this.#slot = slot;
  }

  /** Everything up to the revision counts as answered from now on: it can be read. */
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
