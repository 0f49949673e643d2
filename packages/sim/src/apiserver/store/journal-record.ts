import type { JsonObject } from '@karpenter/core/schema';
import { checkedJson, checkedLine } from '../../durable-files/index.ts';
import type { StoreChange } from './change.ts';
import type { Entry } from './entry.ts';

/** Format 2 added the file `acknowledged` with the highest acknowledged revision. */
export const currentFormat = 2;

export type ChangeRecord =
  | { readonly put: string; readonly revision: number; readonly object: JsonObject }
  | { readonly remove: string; readonly revision: number; readonly namespace: string; readonly name: string };

/** A line of a log or snapshot. */
export type JournalRecord =
  | ChangeRecord
  | { readonly head: number; readonly format?: number }
  /** The last record of a snapshot; format 1 has no count. */
  | { readonly end: true; readonly count?: number };

export function headLine(revision: number): string {
  return recordLine({ head: revision, format: currentFormat });
}

export function endLine(count: number): string {
  return recordLine({ end: true, count });
}

/**
 * Uses the JSON that the entry caches for its readers: encoding the object again would cost more than writing
 * it.
 */
export function entryLine({ collection, revision, json }: Entry): string {
  return checkedLine(`{"put":${JSON.stringify(collection)},"revision":${revision},"object":${json}}`);
}

export function changeLine({ type, entry }: StoreChange): string {
  if (type !== 'DELETED') return entryLine(entry);
  const { collection, revision, namespace, name } = entry;
  return recordLine({ remove: collection, revision, namespace, name });
}

function recordLine(record: JournalRecord): string {
  return checkedLine(JSON.stringify(record));
}

/** Undefined when the checksum does not match. */
export function parseRecordLine(line: string): JournalRecord | undefined {
  const json = checkedJson(line);
  return json === undefined ? undefined : JSON.parse(json);
}
