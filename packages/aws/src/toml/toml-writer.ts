import { isTable, TomlDate, type TomlTable, type TomlValue } from './toml-value.ts';

const bareKey = /^[A-Za-z0-9_-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a literal string cannot hold
const needsEscapes = /['\u0000-\u0008\u000a-\u001f\u007f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a basic string must escape
const escaped = /["\\\u0000-\u001f\u007f]/g;
const shortEscapes: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

/**
 * Formats a table in its own order, values before tables. A blank line precedes each header, except one
 * directly below the header of its parent. This is the format of Karpenter's TOML library.
 */
export function formatToml(table: TomlTable): string {
  return bodyOf(table, []);
}

function bodyOf(table: TomlTable, path: readonly string[]): string {
  const entries = [...table];
  const values = entries.filter(([, value]) => !isNested(value));
  const lines = values.map(([key, value]) => `${formatKey(key)} = ${formatValue(value)}\n`).join('');
  const tables = entries
    .filter(([, value]) => isNested(value))
    .map(([key, value]) => nestedText(value, [...path, key]));
  return [...(lines === '' ? [] : [lines]), ...tables].join('\n');
}

function nestedText(value: TomlValue, path: readonly string[]): string {
  const name = path.map(formatKey).join('.');
  if (isTable(value)) return `[${name}]\n${bodyOf(value, path)}`;
  const elements = Array.isArray(value) ? value.filter(isTable) : [];
  return elements.map((element) => `[[${name}]]\n${bodyOf(element, path)}`).join('\n');
}

/** Whether a value gets a header: a table, or an array of tables only. */
function isNested(value: TomlValue): boolean {
  return isTable(value) || (Array.isArray(value) && value.length > 0 && value.every(isTable));
}

function formatKey(key: string): string {
  return bareKey.test(key) ? key : formatString(key);
}

function formatValue(value: TomlValue): string {
  if (typeof value === 'string') return formatString(value);
  if (typeof value === 'number') return formatFloat(value);
  if (Array.isArray(value)) return `[${value.map(formatValue).join(', ')}]`;
  if (value instanceof TomlDate) return value.text;
  if (isTable(value)) return formatInline(value);
  return String(value);
}

function formatInline(table: TomlTable): string {
  const pairs = [...table].map(([key, value]) => `${formatKey(key)} = ${formatValue(value)}`);
  return `{${pairs.join(', ')}}`;
}

/** Prefers literal strings in single quotes, as in the recordings of Karpenter. */
function formatString(text: string): string {
  return needsEscapes.test(text) ? `"${text.replace(escaped, escapeOf)}"` : `'${text}'`;
}

function escapeOf(character: string): string {
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return shortEscapes[character] ?? `\\u${code}`;
}

/** A whole float keeps its `.0`, so that it does not become an integer. */
function formatFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}
