import { TomlCursor } from './toml-cursor.ts';
import { readShortString, readTomlString } from './toml-strings.ts';
import { isTable, TomlDate, type TomlTable, type TomlValue } from './toml-value.ts';

// Patterns are sticky, because the cursor matches at its position.
const bareKey = /[A-Za-z0-9_-]+/y;
const date =
  /\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:\d{2})?)?|\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?/y;
const number =
  /[+-]?(?:0x[0-9A-Fa-f_]+|0o[0-7_]+|0b[01_]+|inf|nan|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d[\d_]*)?)/y;
const decimal = /^[+-]?(?:0|[1-9]\d*)$/;
const misplacedUnderscore = /_(?:_|$|[.eE])|[.eE+-]_/;
const leadingZero = /^[+-]?0\d/;
const smallest = -(2n ** 63n);
const largest = 2n ** 63n - 1n;

/** Parses a TOML document. Throws a TomlError if it is invalid. */
export function parseToml(text: string): TomlTable {
  return new TomlReader(text).read();
}

class TomlReader {
  readonly #cursor: TomlCursor;
  readonly #root: TomlTable = new Map();
  /** Tables defined by a header; a second header for one is an error. */
  readonly #named = new Set<TomlTable>();
  /** Inline tables and arrays, which later statements may not extend. */
  readonly #closed = new Set<TomlValue>();
  #current: TomlTable = this.#root;

  constructor(text: string) {
    this.#cursor = new TomlCursor(text.replace(/^\uFEFF/, ''));
  }

  read(): TomlTable {
    for (;;) {
      this.#cursor.skipToContent();
      if (this.#cursor.isAtEnd) return this.#root;
      this.#readStatement();
      this.#cursor.endLine();
    }
  }

  #readStatement(): void {
    if (this.#cursor.take('[[')) this.#current = this.#openElement(this.#readHeader(']]'));
    else if (this.#cursor.take('[')) this.#current = this.#openTable(this.#readHeader(']'));
    else this.#readPair(this.#current);
  }

  #readHeader(end: string): readonly string[] {
    const path = this.#readPath();
    this.#cursor.expect(end, `expected '${end}' after table name`);
    return path;
  }

  /** Handles `[a.b]`. */
  #openTable(path: readonly string[]): TomlTable {
    const table = path.reduce<TomlTable>((parent, key) => this.#descend(parent, key), this.#root);
    if (this.#named.has(table)) this.#cursor.fail(`table ${path.join('.')} already exists`);
    this.#named.add(table);
    return table;
  }

  /** Handles `[[a.b]]`: appends a table to the array. */
  #openElement(path: readonly string[]): TomlTable {
    const parent = path.slice(0, -1).reduce<TomlTable>((table, key) => this.#descend(table, key), this.#root);
    const last = path.at(-1) ?? '';
    const known = parent.get(last) ?? [];
    if (!Array.isArray(known) || this.#closed.has(known)) {
      return this.#cursor.fail(`key ${path.join('.')} is not an array of tables`);
    }
    const element: TomlTable = new Map();
    known.push(element);
    parent.set(last, known);
    return element;
  }

  /** Returns the table under a key, created if missing; for an array of tables its last element. */
  #descend(parent: TomlTable, key: string): TomlTable {
    const found = parent.get(key);
    if (found === undefined) {
      const table: TomlTable = new Map();
      parent.set(key, table);
      return table;
    }
    const table = Array.isArray(found) && !this.#closed.has(found) ? found.at(-1) : found;
    if (!isTable(table) || this.#closed.has(table)) return this.#cursor.fail(`key ${key} is not a table`);
    return table;
  }

  /** Reads `a.b = value`, whose dotted key creates tables. */
  #readPair(table: TomlTable): void {
    const path = this.#readPath();
    this.#cursor.expect('=', `expected '=' after key`);
    this.#cursor.skipBlanks();
    const parent = path.slice(0, -1).reduce<TomlTable>((inner, key) => this.#descend(inner, key), table);
    const last = path.at(-1) ?? '';
    if (parent.has(last)) this.#cursor.fail(`key ${path.join('.')} is already defined`);
    parent.set(last, this.#readValue());
  }

  #readPath(): readonly string[] {
    const path: string[] = [];
    do {
      this.#cursor.skipBlanks();
      path.push(this.#readKey());
      this.#cursor.skipBlanks();
    } while (this.#cursor.take('.'));
    return path;
  }

  #readKey(): string {
    const key = readShortString(this.#cursor) ?? this.#cursor.match(bareKey);
    return key ?? this.#cursor.fail(`invalid character at start of key: ${this.#cursor.peek()}`);
  }

  #readValue(): TomlValue {
    const text = readTomlString(this.#cursor);
    if (text !== undefined) return text;
    if (this.#cursor.take('[')) return this.#readArray();
    if (this.#cursor.take('{')) return this.#readInlineTable();
    return this.#readPlain();
  }

  #readArray(): TomlValue {
    const items: TomlValue[] = [];
    this.#closed.add(items);
    for (this.#cursor.skipToContent(); !this.#cursor.take(']'); this.#cursor.skipToContent()) {
      items.push(this.#readValue());
      this.#cursor.skipToContent();
      if (!this.#cursor.take(',') && this.#cursor.peek() !== ']') {
        this.#cursor.fail('array elements must be separated by commas');
      }
    }
    return items;
  }

  #readInlineTable(): TomlValue {
    const table: TomlTable = new Map();
    this.#cursor.skipBlanks();
    while (!this.#cursor.take('}')) {
      this.#readPair(table);
      this.#cursor.skipBlanks();
      const hasComma = this.#cursor.take(',');
      this.#cursor.skipBlanks();
      if (hasComma === (this.#cursor.peek() === '}')) {
        this.#cursor.fail('inline table entries must be separated by commas');
      }
    }
    this.#close(table);
    return table;
  }

  /** Closes a table and the tables that dotted keys created inside it. */
  #close(table: TomlTable): void {
    this.#closed.add(table);
    for (const value of table.values()) if (isTable(value)) this.#close(value);
  }

  /** Reads a boolean, date or number. Dates go first, because a number pattern would match their year. */
  #readPlain(): TomlValue {
    const cursor = this.#cursor;
    if (cursor.match(/true(?![A-Za-z0-9_-])/y) !== undefined) return true;
    if (cursor.match(/false(?![A-Za-z0-9_-])/y) !== undefined) return false;
    const time = cursor.match(date);
    if (time !== undefined) return new TomlDate(time);
    const digits = cursor.match(number);
    return digits === undefined ? cursor.fail('invalid value') : this.#numberOf(digits);
  }

  /** Rejects misplaced underscores and leading zeros, which the pattern above accepts. */
  #numberOf(text: string): TomlValue {
    if (misplacedUnderscore.test(text)) this.#cursor.fail(`invalid number ${text}`);
    const plain = text.replaceAll('_', '');
    if (/^0[xob]/.test(plain)) return this.#integer(BigInt(plain), text);
    if (leadingZero.test(plain)) this.#cursor.fail(`number ${text} cannot have a leading zero`);
    if (decimal.test(plain)) return this.#integer(BigInt(plain.replace(/^\+/, '')), text);
    return floatOf(plain);
  }

  #integer(value: bigint, text: string): bigint {
    if (value < smallest || value > largest) this.#cursor.fail(`integer ${text} does not fit 64 bits`);
    return value;
  }
}

function floatOf(text: string): number {
  if (text.endsWith('nan')) return Number.NaN;
  if (text.endsWith('inf')) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(text);
}
