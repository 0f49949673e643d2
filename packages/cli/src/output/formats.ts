import { Option } from 'commander';
import { stringify } from 'yaml';

/** Formats for programs. `jsonl` is one line for each item of a list. */
export type DataFormat = 'json' | 'jsonl' | 'yaml';

const dataFormats: ReadonlySet<string> = new Set<DataFormat>(['json', 'jsonl', 'yaml']);

export function isDataFormat(format: string): format is DataFormat {
  return dataFormats.has(format);
}

/** The option `-o` of a command. The first format is the default. */
export function outputOption(
  formats: readonly [string, ...string[]],
  description = 'how to print it',
): Option {
  return new Option('-o, --output <format>', description).choices([...formats]).default(formats[0]);
}

/** One document. As `jsonl` it is a single line. */
export function documentText(document: unknown, format: DataFormat): string {
  if (format === 'yaml') return yamlText(document);
  return `${JSON.stringify(document, undefined, format === 'json' ? 2 : undefined)}\n`;
}

/** A list: one JSON array, one line for each item, or one YAML sequence. */
export function listText(items: readonly unknown[], format: DataFormat): string {
  if (format === 'jsonl') return items.map((item) => `${JSON.stringify(item)}\n`).join('');
  return documentText(items, format);
}

function yamlText(document: unknown): string {
  return stringify(document, { lineWidth: 110, aliasDuplicateObjects: false });
}
