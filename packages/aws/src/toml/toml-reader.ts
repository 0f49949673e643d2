import {
  TomlDate as ParsedDate,
  type TomlTable as ParsedTable,
  type TomlValue as ParsedValue,
  parse,
  TomlError,
} from 'smol-toml';
import { TomlDate, type TomlTable, type TomlValue } from './toml-value.ts';

type Fail = (problem: string) => never;

/** TOML integers have 64 bits; the library accepts longer ones, which no Bottlerocket host could read. */
const smallest = -(2n ** 63n);
const largest = 2n ** 63n - 1n;

/** Where the message of Karpenter's TOML library is recorded, users get that one. */
const recordedMessages: Readonly<Record<string, string>> = {
  'illegal character in key': "expected '=' after key",
};

/**
 * Parses a TOML document. Calls `fail` with what is wrong with an invalid one, in a few words without its
 * text, which may hold secrets.
 */
export function parseToml(text: string, fail: Fail): TomlTable {
  return convertedTable(parsed(text, fail), fail);
}

function parsed(text: string, fail: Fail): ParsedTable {
  try {
    return parse(text, { integersAsBigInt: true });
  } catch (error) {
    if (error instanceof TomlError) return fail(problemOf(error));
    throw error;
  }
}

/** The library appends an excerpt of the document to its message, after a blank line. */
function problemOf({ message }: TomlError): string {
  const [problem = ''] = message.replace(/^Invalid TOML document: /, '').split('\n');
  return recordedMessages[problem] ?? problem;
}

function convertedTable(parsedTable: ParsedTable, fail: Fail): TomlTable {
  return new Map(Object.entries(parsedTable).map(([key, value]) => [key, convertedValue(value, fail)]));
}

function convertedValue(value: ParsedValue, fail: Fail): TomlValue {
  if (typeof value === 'bigint' && (value < smallest || value > largest)) {
    return fail(`integer ${value} does not fit 64 bits`);
  }
  if (typeof value !== 'object') return value;
  if (value instanceof ParsedDate) return new TomlDate(value.toISOString().replace(/\.000(?!\d)/, ''));
  if (Array.isArray(value)) return value.map((item) => convertedValue(item, fail));
  return convertedTable(value, fail);
}
