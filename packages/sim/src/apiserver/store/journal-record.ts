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

export function headLine(revision: number): string {
  return recordLine({ head: revision });
}

export function endLine(): string {
  return recordLine({ end: true });
}

/** Takes the text that the entry has for its readers: to make it again would cost more than to write it. */
export function entryLine({ collection, revision, json }: Entry): string {
  return checkedLine(`{"put":${JSON.stringify(collection)},"revision":${revision},"object":${json}}`);
}

export function changeLine({ type, entry }: Change): string {
  if (type !== 'DELETED') return entryLine(entry);
  const { collection, revision, namespace, name } = entry;
  return recordLine({ remove: collection, revision, namespace, name });
}

function recordLine(record: JournalRecord): string {
  return checkedLine(JSON.stringify(record));
}

/** The checksum tells a line that was written whole from one that a crash cut or tore. */
function checkedLine(json: string): string {
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
