import { UnusableUserData } from './join-request.ts';

type Table = { [key: string]: unknown };

const token =
  /\s*(?:#[^\n]*)?(?:("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*')|([\w+.:-]+)|([[\]{}=,])|(\n)|$)/y;

/** Parses the subset of TOML that Bottlerocket settings use: tables, strings, numbers, booleans and lists. */
export function parseToml(text: string): Table {
  return new TomlReader(text.replaceAll('\r\n', '\n')).read();
}

class TomlReader {
  readonly #text: string;
  readonly #root: Table = {};
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Table {
    let table = this.#root;
    for (const line of this.#statements()) {
      const header = /^\[(?!\[)(.+)\]$/s.exec(line);
      if (header !== null) table = tableAt(this.#root, keysOf(header[1] ?? ''));
      else if (line.startsWith('[[')) table = newItem(this.#root, keysOf(line.slice(2, -2)));
      else this.#assign(table, line);
    }
    return this.#root;
  }

  /** Splits the text into statements; a statement spans several lines while a string or bracket is open. */
  *#statements(): Generator<string> {
    const lines = this.#text.split('\n');
    let pending = '';
    for (const line of lines) {
      pending = pending === '' ? line.trim() : `${pending}\n${line}`;
      if (isOpen(pending)) continue;
      const statement = withoutComment(pending).trim();
      pending = '';
      if (statement !== '') yield statement;
    }
    if (pending.trim() !== '') throw unreadable(pending);
  }

  #assign(table: Table, line: string): void {
    const [, keys, value] = /^((?:"[^"]*"|'[^']*'|[\w-]+|\s*\.\s*)+?)\s*=\s*(.+)$/s.exec(line) ?? [];
    if (keys === undefined || value === undefined) throw unreadable(line);
    const path = keysOf(keys);
    const last = path.pop() ?? '';
    const target = tableAt(table, path);
    if (last in target) throw new UnusableUserData(`the key ${last} is set twice in the user data`);
    target[last] = this.#valueOf(value);
  }

  #valueOf(text: string): unknown {
    const words = tokensOf(text);
    this.#at = 0;
    const value = this.#value(words);
    if (this.#at < words.length) throw unreadable(text);
    return value;
  }

  #value(words: readonly string[]): unknown {
    const word = words[this.#at] ?? '';
    this.#at += 1;
    if (word === '[') return this.#list(words);
    if (word === '{') return this.#inlineTable(words);
    return scalar(word);
  }

  #list(words: readonly string[]): unknown[] {
    const items: unknown[] = [];
    while (words[this.#at] !== ']') {
      if (this.#at >= words.length) throw unreadable(words.join(' '));
      items.push(this.#value(words));
      if (words[this.#at] === ',') this.#at += 1;
    }
    this.#at += 1;
    return items;
  }

  #inlineTable(words: readonly string[]): Table {
    const table: Table = {};
    while (words[this.#at] !== '}') {
      const [key = ''] = keysOf(words[this.#at] ?? '');
      if (words[this.#at + 1] !== '=') throw unreadable(words.join(' '));
      this.#at += 2;
      table[key] = this.#value(words);
      if (words[this.#at] === ',') this.#at += 1;
    }
    this.#at += 1;
    return table;
  }
}

function tokensOf(text: string): readonly string[] {
  const words: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const before = token.lastIndex;
    const match = token.exec(text);
    if (match === null || token.lastIndex === before) throw unreadable(text);
    const word = match[1] ?? match[2] ?? match[3];
    if (word !== undefined) words.push(word);
  }
  return words;
}

/** Whether a multi-line string or a bracket is still open. */
function isOpen(text: string): boolean {
  const single = text.replaceAll(/"""[\s\S]*?"""|'''[\s\S]*?'''/g, '');
  if (/"""|'''/.test(single)) return true;
  const bare = single.replaceAll(/"(?:\\.|[^"\\\n])*"|'[^'\n]*'/g, '').replaceAll(/#[^\n]*/g, '');
  const count = (signs: RegExp) => [...bare.matchAll(signs)].length;
  return count(/[[{]/g) > count(/[\]}]/g);
}

function withoutComment(text: string): string {
  return text.replaceAll(/("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*')|#[^\n]*/g, '$1');
}

function keysOf(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

function scalar(word: string): unknown {
  if (word === 'true' || word === 'false') return word === 'true';
  if (/^[+-]?[\d_]+(\.[\d_]+)?$/.test(word)) return Number(word.replaceAll('_', ''));
  const [, text] = /^(?:'''|""")\n?([\s\S]*)(?:'''|""")$/.exec(word) ?? [];
  if (text !== undefined) return text;
  if (word.startsWith("'") && word.endsWith("'") && word.length > 1) return word.slice(1, -1);
  if (word.startsWith('"')) return basicString(word);
  throw unreadable(word);
}

function basicString(word: string): unknown {
  try {
    return JSON.parse(word);
  } catch {
    throw unreadable(word);
  }
}

function tableAt(root: Table, path: readonly string[]): Table {
  return path.reduce<Table>((table, key) => {
    table[key] ??= {};
    const next = table[key];
    const last = Array.isArray(next) ? next.at(-1) : next;
    if (!isTable(last)) throw new UnusableUserData(`the key ${key} of the user data is no table`);
    return last;
  }, root);
}

function newItem(root: Table, path: readonly string[]): Table {
  const last = path.at(-1) ?? '';
  const parent = tableAt(root, path.slice(0, -1));
  const items = Array.isArray(parent[last]) ? parent[last] : [];
  const item: Table = {};
  parent[last] = [...items, item];
  return item;
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(text: string): UnusableUserData {
  return new UnusableUserData(`the user data is not TOML: ${text.slice(0, 60)}`);
}
