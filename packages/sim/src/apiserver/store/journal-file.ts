import { type JournalRecord, parseRecordLine } from './journal-record.ts';

/** A record with its line number, from 1. */
interface NumberedRecord {
  readonly number: number;
  readonly record: JournalRecord;
}

interface BadLine {
  readonly number: number;
  readonly text: string;
}

/** A parsed log or snapshot. */
export interface JournalFile {
  readonly records: readonly NumberedRecord[];
  /** Complete lines whose checksum does not match. */
  readonly bad: readonly BadLine[];
  /** Number of bytes in complete lines. */
  readonly length: number;
  /** The last line, if it was not finished. */
  readonly torn: BadLine | undefined;
}

const lineBreak = 0x0a;

/**
 * Distinguishes a line that was never finished, which a crash leaves, from one that was damaged later. A
 * crash stops an append in the middle of a line, and lines contain no line break before their end; so an
 * unfinished line is the last one and has no line break. Any other line that does not match its checksum was
 * complete once.
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

/** The line is complete, but its line break was overwritten with another byte: damage, not a crash. */
function hasDamagedBreak(rest: Buffer): boolean {
  return parseRecordLine(rest.toString('utf8', 0, rest.length - 1)) !== undefined;
}
