import { endsStep, type Steps } from '@karpenter/core/yielding';

/**
 * Result of a slow JSON parser for what `JSON.parse` does not report: duplicate members, and the message of
 * Go's decoder for invalid JSON. It runs only when one of the two is needed.
 */
export interface JsonScan {
  /** Go's error message; undefined when the text is valid JSON. */
  readonly problem?: string;
  /** Paths of members that occur more than once, such as `spec.ports[0].name`. */
  readonly duplicates: readonly string[];
}

/**
 * kube-apiserver allows 10,000 levels, which no real object has. Here recursive functions process the value,
 * so the limit is lower to protect the stack.
 */
export const depthLimit = 1_000;

export function* scanJson(text: string): Steps<JsonScan> {
  const scanner = new JsonScanner(text);
  try {
    yield* scanner.run();
    return { duplicates: scanner.duplicates };
  } catch (error) {
    if (error instanceof SyntaxProblem) return { problem: error.message, duplicates: [] };
    throw error;
  }
}

/** May match the empty string, so that it always matches. */
const plainCharacters = /[ !#-[\]-\uffff]*/y;

class SyntaxProblem extends Error {}

interface Level {
  readonly kind: 'object' | 'array';
  readonly names: Set<string>;
  /** Name of the current member. */
  name: string;
  index: number;
}

class JsonScanner {
  readonly #text: string;
  #position = 0;
  readonly #levels: Level[] = [];
  readonly #duplicates = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  get duplicates(): readonly string[] {
    return [...this.#duplicates];
  }

  *run(): Steps<void> {
    this.#value();
    for (let entries = 0; this.#levels.length > 0; entries += 1) {
      this.#next();
      if (endsStep(entries)) yield;
    }
    this.#skipSpace();
    if (this.#position < this.#text.length) throw this.#unexpected('after top-level value');
  }

  /** Reads a scalar, or opens an object or array. */
  #value(): void {
    this.#skipSpace();
    const character = this.#peek();
    if (character === '{' || character === '[') this.#open(character === '{' ? 'object' : 'array');
    else if (character === '"') this.#string();
    else if (character === 't') this.#word('true');
    else if (character === 'f') this.#word('false');
    else if (character === 'n') this.#word('null');
    else this.#number();
  }

  #open(kind: Level['kind']): void {
    if (this.#levels.length >= depthLimit) throw this.#unexpected('exceeded max depth');
    this.#position += 1;
    this.#levels.push({ kind, names: new Set(), name: '', index: 0 });
    this.#skipSpace();
    if (this.#peek() === (kind === 'object' ? '}' : ']')) this.#close();
    else this.#entry();
  }

  #close(): void {
    this.#position += 1;
    this.#levels.pop();
  }

  /** After a value: reads the next entry of its container, or closes that. */
  #next(): void {
    const level = this.#level();
    const isObject = level.kind === 'object';
    this.#skipSpace();
    const character = this.#peek();
    if (character === (isObject ? '}' : ']')) this.#close();
    else if (character === ',') {
      this.#position += 1;
      level.index += 1;
      this.#entry();
    } else throw this.#unexpected(isObject ? 'after object key:value pair' : 'after array element');
  }

  #entry(): void {
    const level = this.#level();
    if (level.kind === 'object') this.#name(level);
    this.#value();
  }

  #name(level: Level): void {
    this.#skipSpace();
    if (this.#peek() !== '"') throw this.#unexpected('looking for beginning of object key string');
    level.name = this.#string();
    if (level.names.has(level.name)) this.#duplicates.add(this.#path());
    level.names.add(level.name);
    this.#skipSpace();
    if (this.#peek() !== ':') throw this.#unexpected('after object key');
    this.#position += 1;
  }

  #path(): string {
    const parts = this.#levels.map(({ kind, name, index }) =>
      kind === 'object' ? `.${name}` : `[${index}]`,
    );
    return parts.join('').replace(/^\./, '');
  }

  #string(): string {
    const start = this.#position + 1;
    let isEscaped = false;
    this.#position = this.#plainEnd(start);
    for (let character = this.#peek(); character !== '"'; character = this.#peek()) {
      if (character !== '\\') throw this.#unexpected('in string literal');
      isEscaped = true;
      this.#escape();
      this.#position = this.#plainEnd(this.#position);
    }
    const content = this.#text.slice(start, this.#position);
    this.#position += 1;
    return isEscaped ? String(JSON.parse(`"${content}"`)) : content;
  }

  /** Position of the next quote, backslash or control character. */
  #plainEnd(start: number): number {
    plainCharacters.lastIndex = start;
    plainCharacters.test(this.#text);
    return plainCharacters.lastIndex;
  }

  #escape(): void {
    this.#position += 1;
    const character = this.#peek();
    if (!'bfnrt\\/"u'.includes(character)) throw this.#unexpected('in string escape code');
    this.#position += 1;
    for (let digit = 0; character === 'u' && digit < 4; digit += 1) {
      if (!/[0-9a-fA-F]/.test(this.#peek())) throw this.#unexpected('in \\u hexadecimal character escape');
      this.#position += 1;
    }
  }

  #word(word: string): void {
    for (const letter of word) {
      if (this.#peek() !== letter) throw this.#unexpected(`in literal ${word} (expecting '${letter}')`);
      this.#position += 1;
    }
  }

  #number(): void {
    if (this.#peek() === '-') {
      this.#position += 1;
      if (!isDigit(this.#peek())) throw this.#unexpected('in numeric literal');
    }
    if (!isDigit(this.#peek())) throw this.#unexpected('looking for beginning of value');
    if (this.#peek() === '0') this.#position += 1;
    else this.#digits();
    if (this.#text[this.#position] === '.') {
      this.#position += 1;
      if (!isDigit(this.#peek())) throw this.#unexpected('after decimal point in numeric literal');
      this.#digits();
    }
    this.#exponent();
  }

  #exponent(): void {
    if (!/[eE]/.test(this.#text[this.#position] ?? '')) return;
    this.#position += 1;
    if (/[+-]/.test(this.#peek())) this.#position += 1;
    if (!isDigit(this.#peek())) throw this.#unexpected('in exponent of numeric literal');
    this.#digits();
  }

  #digits(): void {
    while (isDigit(this.#text[this.#position] ?? '')) this.#position += 1;
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#position);
      if (code !== 0x20 && code !== 0x09 && code !== 0x0d && code !== 0x0a) return;
      this.#position += 1;
    }
  }

  #level(): Level {
    const level = this.#levels.at(-1);
    if (level === undefined) throw new SyntaxProblem('unexpected end of JSON input');
    return level;
  }

  #peek(): string {
    const character = this.#text[this.#position];
    if (character === undefined) throw new SyntaxProblem('unexpected end of JSON input');
    return character;
  }

  #unexpected(context: string): SyntaxProblem {
    return new SyntaxProblem(`invalid character ${quotedCharacter(this.#peek())} ${context}`);
  }
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

function quotedCharacter(character: string): string {
  if (character === "'") return String.raw`'\''`;
  if (character === '"') return `'"'`;
  const code = character.codePointAt(0) ?? 0;
  const named: Readonly<Record<number, string>> = {
    7: 'a',
    8: 'b',
    9: 't',
    10: 'n',
    11: 'v',
    12: 'f',
    13: 'r',
    92: '\\',
  };
  if (named[code] !== undefined) return `'\\${named[code]}'`;
  return code < 0x20 || code === 0x7f ? `'\\x${code.toString(16).padStart(2, '0')}'` : `'${character}'`;
}
