import { crc32 } from 'node:zlib';
import type { JsonObject } from '@karpenter/core/schema';
import type { Change } from './change.ts';
import type { Entry } from './entry.ts';

/** One line of a log or snapshot. */
export type JournalRecord =
  | { readonly head: number }
  | { readonly put: string; readonly revision: number; readonly object: JsonObject }
  | { readonly remove: string; readonly revision: number; readonly namespace: string; readonly name: string }
  | { readonly end: true };

export const endRecord: JournalRecord = { end: true };

export function headRecord(revision: number): JournalRecord {
  return { head: revision };
}

export function entryRecord({ collection, revision, object }: Entry): JournalRecord {
  return { put: collection, revision, object };
}

export function changeRecord({ type, entry }: Change): JournalRecord {
  if (type !== 'DELETED') return entryRecord(entry);
  const { collection, revision, namespace, name } = entry;
  return { remove: collection, revision, namespace, name };
}

/** The checksum tells a line that was written whole from one that a crash cut or tore. */
export function recordLine(record: JournalRecord): string {
  const json = JSON.stringify(record);
  return `${checksum(json)} ${json}\n`;
}

/** Undefined when the line is not whole. */
export function parseRecordLine(line: string): JournalRecord | undefined {
  const json = line.slice(9);
  if (line[8] !== ' ' || checksum(json) !== line.slice(0, 8)) return undefined;
  return JSON.parse(json);
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
