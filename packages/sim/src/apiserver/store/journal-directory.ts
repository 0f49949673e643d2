import { join } from 'node:path';
import { CodedError } from '@karpenter/core/errors';
import type { FileSystem } from '../../durable-files/index.ts';

export function logName(revision: number): string {
  return `log-${revision}.jsonl`;
}

export function snapshotName(revision: number): string {
  return `snapshot-${revision}.jsonl`;
}

/** The logs and snapshots in a directory, by the revision at which they start, oldest first. */
export interface JournalDirectory {
  readonly path: string;
  readonly snapshots: readonly number[];
  readonly logs: readonly number[];
}

export async function journalDirectory(path: string, files: FileSystem): Promise<JournalDirectory> {
  const names = await files.list(path);
  return {
    path,
    snapshots: revisionsOf(names, /^snapshot-(\d+)\.jsonl$/),
    logs: revisionsOf(names, /^log-(\d+)\.jsonl$/),
  };
}

function revisionsOf(names: readonly string[], pattern: RegExp): readonly number[] {
  return names
    .flatMap((name) => pattern.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** Removes earlier generations and temporary files. */
export async function removeOlder(path: string, files: FileSystem, revision: number): Promise<void> {
  for (const name of await files.list(path)) {
    const [, begin, part] = /^(?:log|snapshot)-(\d+)\.jsonl(\..*\.part|\.part)?$/.exec(name) ?? [];
    if (begin === undefined) continue;
    if (part !== undefined || Number(begin) < revision) await files.remove(join(path, name));
  }
}

/** The error for a damaged file, with the record number if there is one. */
export function damaged(file: string, line: number | undefined, why: string): CodedError {
  const place = line === undefined ? file : `${file} at record ${line}`;
  return new CodedError(
    'damaged-data-directory',
    `cannot read the cluster's state in ${place}: ${why}; nothing was changed: restore the file from a copy, or start with --repair to keep what can be read`,
    { details: { file, ...(line === undefined ? {} : { record: line }) } },
  );
}
