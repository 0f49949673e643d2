import { type JournalRecord, parseRecordLine } from './journal-record.ts';

/** A line of a file, counted from 1. */
export interface NumberedRecord {
  readonly number: number;
  readonly record: JournalRecord;
}

export interface BadLine {
  readonly number: number;
  readonly text: string;
}

/** What a log or snapshot has in it, line by line. */
export interface JournalFile {
  readonly records: readonly NumberedRecord[];
  /** Complete lines that are not what was written. */
  readonly bad: readonly BadLine[];
  /** How much of the file is complete lines. */
  readonly length: number;
  /** A last line that was not finished. */
  readonly torn: BadLine | undefined;
}

const lineBreak = 0x0a;

/**
 * Tells a line that was never finished from one that was damaged later. Appending stops somewhere in the middle of a
 * line when the process or the machine does, and no line has a line break before its end: so an unfinished line is
 * the last one and has none. Everything else that does not fit its checksum was complete once.
 */
export function readJournalFile(bytes: Buffer): JournalFile {
  const records: NumberedRecord[] = [];
  const bad: BadLine[] = [];
  let start = 0;
  let number = 1;
  for (let end = bytes.indexOf(lineBreak); end >= 0; end = bytes.indexOf(lineBreak, start)) {
    const text = bytes.toString('utf8', start, end);
    const record = parseRecordLine(text);
    if (record === undefined) bad.push({ number, text });
    else records.push({ number, record });
    start = end + 1;
    number += 1;
  }
  const rest = bytes.toString('utf8', start);
  const torn = rest === '' ? undefined : { number, text: rest };
  if (torn === undefined || !hasDamagedBreak(bytes.subarray(start)))
    return { records, bad, length: start, torn };
  return { records, bad: [...bad, torn], length: start, torn: undefined };
}

/** All of the line is there, and another byte where its line break was. */
function hasDamagedBreak(rest: Buffer): boolean {
  return parseRecordLine(rest.toString('utf8', 0, rest.length - 1)) !== undefined;
}
