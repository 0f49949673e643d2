import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '@karpenter/core/errors';
import { Entry, entryKey } from './entry.ts';
import type { Recovered } from './journal.ts';
import { type JournalRecord, parseRecordLine } from './journal-record.ts';

export function logName(revision: number): string {
  return `log-${revision}.jsonl`;
}

export function snapshotName(revision: number): string {
  return `snapshot-${revision}.jsonl`;
}

/** The state that a directory holds: its newest snapshot and every whole line of the logs since. */
export async function recover(directory: string): Promise<Recovered> {
  const names = await readdir(directory);
  const snapshots = revisionsOf(names, /^snapshot-(\d+)\.jsonl$/);
  const logs = revisionsOf(names, /^log-(\d+)\.jsonl$/);
  const state = new RecoveredState();
  const newest = snapshots.at(-1);
  if (newest !== undefined) await readSnapshot(join(directory, snapshotName(newest)), state);
  for (const log of logs) {
    if (log >= (newest ?? 0)) await readLog(join(directory, logName(log)), state);
  }
  return { revision: state.revision, entries: [...state.entries.values()] };
}

function revisionsOf(names: readonly string[], pattern: RegExp): readonly number[] {
  return names
    .flatMap((name) => pattern.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

class RecoveredState {
  revision = 0;
  readonly entries = new Map<string, Entry>();

  apply(record: JournalRecord): void {
    if ('end' in record) return;
    if ('head' in record) {
      this.revision = Math.max(this.revision, record.head);
      return;
    }
    this.revision = Math.max(this.revision, record.revision);
    if ('put' in record) {
      const entry = new Entry(record.put, record.object, record.revision);
      this.entries.set(`${record.put} ${entry.key}`, entry);
    } else this.entries.delete(`${record.remove} ${entryKey(record.namespace, record.name)}`);
  }
}

async function readSnapshot(path: string, state: RecoveredState): Promise<void> {
  const records = wholeRecords(await readFile(path, 'utf8'));
  const last = records.at(-1);
  // It got its name only when it was whole, so this is damage, not a crash; going on would lose objects.
  if (last === undefined || !('end' in last)) {
    throw new CodedError(
      'damaged-data-directory',
      `cannot read the cluster's state in ${path}: the file is damaged; restore it or choose another --data-dir`,
      { details: { file: path } },
    );
  }
  for (const record of records) state.apply(record);
}

async function readLog(path: string, state: RecoveredState): Promise<void> {
  for (const record of wholeRecords(await readFile(path, 'utf8'))) state.apply(record);
}

/** Up to the first line that is not whole: nothing after it was acknowledged. */
function wholeRecords(text: string): readonly JournalRecord[] {
  const records: JournalRecord[] = [];
  for (const line of text.split('\n')) {
    const record = parseRecordLine(line);
    if (record === undefined) break;
    records.push(record);
  }
  return records;
}
