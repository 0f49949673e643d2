import type { JsonObject } from '@karpenter/core/schema';
import { checkedJson, checkedLine } from '../../durable-files/index.ts';
import type { Change } from './change.ts';
import type { Entry } from './entry.ts';

/** Since this format the file `acknowledged` says up to where clients have been answered. */
export const currentFormat = 2;

export type ChangeRecord =
  | { readonly put: string; readonly revision: number; readonly object: JsonObject }
  | { readonly remove: string; readonly revision: number; readonly namespace: string; readonly name: string };

/** One line of a log or snapshot. */
export type JournalRecord =
  | ChangeRecord
  | { readonly head: number; readonly format?: number }
  /** Of a snapshot; the first format does not say how many objects it has. */
  | { readonly end: true; readonly count?: number };

export function headLine(revision: number): string {
  return recordLine({ head: revision, format: currentFormat });
}

export function endLine(count: number): string {
  return recordLine({ end: true, count });
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

/** Undefined when the line is not what was written. */
export function parseRecordLine(line: string): JournalRecord | undefined {
  const json = checkedJson(line);
  return json === undefined ? undefined : JSON.parse(json);
}
