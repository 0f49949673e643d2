import { join } from 'node:path';
import {
  type FileSystem,
  writeAtomically,
  writeFileAtomically,
  writeFully,
} from '../../durable-files/index.ts';
import type { Entry } from './entry.ts';
import { logName, snapshotName } from './journal-directory.ts';
import { endLine, entryLine, headLine } from './journal-record.ts';
import { LogFile } from './log-file.ts';

const bytesPerWrite = 1024 * 1024;

/** A snapshot and the log that starts at the same revision. */
export interface Generation {
  readonly directory: string;
  readonly files: FileSystem;
  readonly revision: number;
}

/**
 * Writes all objects at a revision. Until the log of the same revision exists, changes go to the previous
 * log.
 */
export async function writeSnapshot(
  { directory, files, revision }: Generation,
  entries: Iterable<Entry>,
): Promise<void> {
  await writeAtomically(join(directory, snapshotName(revision)), files, async (file) => {
    let position = 0;
    for (const bytes of chunks(snapshotLines(revision, entries))) {
      await writeFully(file, bytes, position);
      position += bytes.length;
    }
  });
}

function* snapshotLines(revision: number, entries: Iterable<Entry>): Generator<string> {
  let count = 0;
  yield headLine(revision);
  for (const entry of entries) {
    count += 1;
    yield entryLine(entry);
  }
  yield endLine(count);
}

function* chunks(lines: Iterable<string>): Generator<Buffer> {
  let text = '';
  for (const line of lines) {
    text += line;
    if (text.length < bytesPerWrite) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

/** Creates a log that contains only its head record. */
export async function createLog({ directory, files, revision }: Generation): Promise<LogFile> {
  const head = headLine(revision);
  await writeFileAtomically(join(directory, logName(revision)), head, files);
  return LogFile.open({ directory, files, revision, length: Buffer.byteLength(head) });
}
