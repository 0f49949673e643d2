import { join } from 'node:path';
import type { FileSystem } from '../../durable-files/index.ts';
import { markPath, readMark } from './acknowledged-mark.ts';
import type { Recovered } from './journal.ts';
import { journalDirectory, logName, snapshotName } from './journal-directory.ts';
import { type JournalFile, readJournalFile } from './journal-file.ts';
import { RecoveredState } from './recovered-state.ts';
import { isChange } from './recovery.ts';

/**
 * The lost records may have had higher revisions, and a revision must never be used twice. So the repaired
 * state skips this many.
 */
const skippedRevisions = 1000;

export interface Repaired extends Recovered {
  /** One message for each thing that could not be recovered. */
  readonly losses: readonly string[];
  /** All files that were read; the caller renames them to keep them. */
  readonly originals: readonly string[];
}

/**
 * Recovers every readable record of a damaged directory, oldest generation first. Does not change the
 * directory.
 */
export async function repair(directory: string, files: FileSystem): Promise<Repaired> {
  const salvage = new Salvage();
  const { snapshots, logs } = await journalDirectory(directory, files);
  const revisions = [...new Set([...snapshots, ...logs])].sort((a, b) => a - b);
  for (const revision of revisions) {
    const snapshot = join(directory, snapshotName(revision));
    if (snapshots.includes(revision)) salvage.addSnapshot(snapshot, await read(snapshot, files));
    const log = join(directory, logName(revision));
    if (logs.includes(revision)) salvage.addLog(log, await read(log, files), revision);
  }
  await salvage.addMark(directory, files);
  salvage.state.reach(Math.max(0, ...revisions));
  const { revision, entries } = salvage.state;
  return {
    revision: revision + skippedRevisions,
    entries,
    losses: salvage.losses,
    originals: salvage.originals,
  };
}

async function read(path: string, files: FileSystem): Promise<JournalFile> {
  return readJournalFile(await files.read(path));
}

class Salvage {
  readonly state = new RecoveredState();
  readonly losses: string[] = [];
  readonly originals: string[] = [];

  /** An intact snapshot replaces everything before it; a damaged one only adds to it. */
  addSnapshot(path: string, file: JournalFile): void {
    const end = file.records.at(-1)?.record;
    const changes = file.records.filter(({ record }) => isChange(record)).length;
    const hasEnd = end !== undefined && 'end' in end;
    const isIntact = hasEnd && (end.count ?? changes) === changes && file.bad.length === 0;
    this.originals.push(path);
    if (isIntact) this.state.clear();
    this.#addBadLines(path, file);
    if (!hasEnd) this.losses.push(`${path}: the end is missing; objects that stood there are lost`);
    this.#apply(file);
  }

  addLog(path: string, file: JournalFile, revision: number): void {
    this.originals.push(path);
    this.#addBadLines(path, file);
    this.#addGaps(path, file, revision);
    this.#apply(file);
  }

  async addMark(directory: string, files: FileSystem): Promise<void> {
    const path = markPath(directory);
    const mark = await readMark(directory, files).catch(() => undefined);
    if (mark === undefined) {
      this.losses.push(`${path}: it is not known any more up to which revision clients were answered`);
      return;
    }
    const { revision } = this.state;
    if (mark > revision)
      this.losses.push(`${path}: revisions ${revision + 1} to ${mark} were acknowledged and are in no file`);
    this.state.reach(mark);
  }

  #apply({ records }: JournalFile): void {
    for (const { record } of records) if (isChange(record)) this.state.apply(record);
  }

  #addBadLines(path: string, { bad, torn }: JournalFile): void {
    for (const { number, text } of torn === undefined ? bad : [...bad, torn])
      this.losses.push(`${path}: record ${number} cannot be read${objectIn(text)}`);
  }

  #addGaps(path: string, { records }: JournalFile, begin: number): void {
    let last = begin;
    if (begin > this.state.revision)
      this.losses.push(
        `${path}: the files before it end at revision ${this.state.revision}, and it begins at ${begin}`,
      );
    for (const { number, record } of records) {
      if (!isChange(record)) continue;
      const next = Math.max(last, 1) + 1;
      if (record.revision > next)
        this.losses.push(
          `${path}: revisions ${next} to ${record.revision - 1} are missing before record ${number}`,
        );
      last = record.revision;
    }
  }
}

/** The object that a damaged line was probably about, from what is still readable of it. */
function objectIn(text: string): string {
  const collection = /"(?:put|remove)":"([^"]{1,253})"/.exec(text)?.[1];
  const name = /"name":"([^"]{1,253})"/.exec(text)?.[1];
  const namespace = /"namespace":"([^"]{1,253})"/.exec(text)?.[1];
  if (collection === undefined && name === undefined) return '';
  const place = namespace === undefined ? '' : ` in namespace ${namespace}`;
  return `; it was probably about ${collection ?? 'an object'} ${name ?? ''}${place}`;
}
