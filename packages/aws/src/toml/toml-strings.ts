import type { TomlCursor } from './toml-cursor.ts';

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\u001b',
  '"': '"',
  '\\': '\\',
};

/** Reads a string in any of the four notations; undefined if none starts here. */
export function readTomlString(cursor: TomlCursor): string | undefined {
  if (cursor.take(`'''`)) return readLong(cursor, `'''`);
  if (cursor.take('"""')) return readLong(cursor, '"""');
  return readShortString(cursor);
}

/** Reads a single-line string, the only kind allowed as a key; undefined if none starts here. */
export function readShortString(cursor: TomlCursor): string | undefined {
  if (cursor.take(`'`)) return readShort(cursor, `'`);
  return cursor.take('"') ? readShort(cursor, '"') : undefined;
}

function readShort(cursor: TomlCursor, quote: string): string {
  let text = '';
  while (!cursor.take(quote)) {
    if (cursor.isAtEnd || cursor.peek() === '\n') cursor.fail('unterminated string');
    text += quote === '"' ? readCharacter(cursor) : takeOne(cursor);
  }
  return text;
}

function readLong(cursor: TomlCursor, quote: string): string {
  cursor.takeLineEnd();
  let text = '';
  while (!endsLong(cursor, quote)) {
    if (cursor.isAtEnd) cursor.fail('unterminated multiline string');
    text += quote === '"""' ? readFoldedCharacter(cursor) : takeOne(cursor);
  }
  return text;
}

/** A multi-line string may end with up to two quotes before the closing three. */
function endsLong(cursor: TomlCursor, quote: string): boolean {
  return cursor.startsWith(quote) && !cursor.startsWith(`${quote}${quote.charAt(0)}`) && cursor.take(quote);
}

/** A backslash at the end of a line removes the line end and the whitespace after it. */
function readFoldedCharacter(cursor: TomlCursor): string {
  return cursor.match(/\\[ \t]*\r?\n\s*/y) === undefined ? readCharacter(cursor) : '';
}

function readCharacter(cursor: TomlCursor): string {
  if (!cursor.take('\\')) return takeOne(cursor);
  const letter = takeOne(cursor);
  const simple = escapes[letter];
  if (simple !== undefined) return simple;
  if (letter === 'u') return readCodePoint(cursor, /[0-9A-Fa-f]{4}/y);
  if (letter === 'U') return readCodePoint(cursor, /[0-9A-Fa-f]{8}/y);
  return cursor.fail(`invalid escape character '${letter}'`);
}

function readCodePoint(cursor: TomlCursor, digits: RegExp): string {
  const code = Number.parseInt(cursor.match(digits) ?? 'none', 16);
  if (!(code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) cursor.fail('invalid unicode escape');
  return String.fromCodePoint(code);
}

function takeOne(cursor: TomlCursor): string {
  const one = cursor.peek();
  cursor.at += 1;
  return one;
}
