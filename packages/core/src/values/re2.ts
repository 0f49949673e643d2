import { codePoint, namedClass, rangeItems } from './re2-class.ts';

/**
 * The JavaScript form of a regular expression of RE2, which API servers use in schemas and CEL rules. Throws an
 * error with the message of Go where RE2 refuses the expression, such as for lookaheads. Letters beyond ASCII have one
 * case.
 */
export function re2(pattern: string, flags = ''): RegExp {
  const source = new Translation(pattern).all();
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    throw fault('invalid expression', pattern);
  }
}

function fault(problem: string, part: string): Error {
  return new Error(`error parsing regexp: ${problem}: \`${part}\``);
}

const mostRepeats = 1000;
const punctuation = /^[!-/:-@[-`{-~]$/;
const controls: Readonly<Record<string, number>> = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 };
const anchors: Readonly<Record<string, string>> = {
  A: '^',
  z: '$',
  b: '\\b',
  B: '\\B',
};

/** Reads the expression once from left to right. */
class Translation {
  readonly #text: string;
  #at = 0;
  #flags = '';
  readonly #outer: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  all(): string {
    let source = '';
    while (this.#at < this.#text.length) source += this.#next();
    if (this.#outer.length > 0) throw fault('missing closing )', this.#text);
    return source;
  }

  #next(): string {
    const character = this.#take();
    if (character === '\\') return this.#escape();
    if (character === '[') return this.#class();
    if (character === '(') return this.#group();
    if (character === ')') return this.#groupEnd();
    if (character === '{') return this.#repetition();
    if ('*+?|'.includes(character)) return character;
    return this.#anchor(character) ?? this.#literal(character);
  }

  #anchor(character: string): string | undefined {
    const isMultiline = this.#flags.includes('m');
    if (character === '^') return this.#assertion(isMultiline ? '(?<![^\\n])' : '^');
    if (character === '$') return this.#assertion(isMultiline ? '(?![^\\n])' : '$');
    if (character === '.') return this.#flags.includes('s') ? '[^]' : '[^\\n]';
    return undefined;
  }

  /** RE2 may repeat assertions, JavaScript only groups. */
  #assertion(source: string): string {
    return '*+?{'.includes(this.#text[this.#at] ?? ' ') ? `(?:${source})` : source;
  }

  #take(): string {
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    return character;
  }

  /** Consumes what the pattern matches at this place. */
  #match(pattern: RegExp): RegExpExecArray | undefined {
    const found = new RegExp(pattern.source, 'uy');
    found.lastIndex = this.#at;
    const result = found.exec(this.#text) ?? undefined;
    this.#at += result?.[0].length ?? 0;
    return result;
  }

  #literal(character: string): string {
    const code = character.codePointAt(0) ?? 0;
    const isCased = this.#flags.includes('i') && /[a-z]/i.test(character);
    return isCased ? `[${rangeItems([code, code], true)}]` : codePoint(code);
  }

  /** `{` is a character where no count follows. */
  #repetition(): string {
    const count = this.#match(/(\d+)(?:,(\d*))?\}/);
    if (count === undefined) return this.#literal('{');
    const [text, from, to = ''] = count;
    if (Number(from) > mostRepeats || Number(to) > mostRepeats || (to !== '' && Number(to) < Number(from)))
      throw fault('invalid repeat count', `{${text}`);
    return `{${text}`;
  }

  #group(): string {
    this.#outer.push(this.#flags);
    if (this.#text[this.#at] !== '?') return '(';
    const named = this.#match(/\?P?<(\w+)>/);
    if (named !== undefined) return `(?<${named[1]}>`;
    const scoped = this.#match(/\?([imsU]*)(?:-([imsU]+))?([:)])/);
    if (scoped === undefined)
      throw fault('invalid or unsupported Perl syntax', this.#text.slice(this.#at - 1, this.#at + 2));
    return this.#flagGroup(scoped);
  }

  #flagGroup([text, on = '', off = '', end]: RegExpExecArray): string {
    if (on.includes('U')) throw fault('unsupported flag', `(${text}`);
    this.#flags = [...new Set([...this.#flags, ...on])].filter((flag) => !off.includes(flag)).join('');
    if (end === ':') return '(?:';
    this.#outer.pop();
    return '';
  }

  #groupEnd(): string {
    const flags = this.#outer.pop();
    if (flags === undefined) throw fault('unexpected )', this.#text);
    this.#flags = flags;
    return ')';
  }

  #escape(): string {
    const quoted = this.#match(/Q(.*?)(?:\\E|$)/);
    if (quoted !== undefined) return [...(quoted[1] ?? '')].map((each) => this.#literal(each)).join('');
    const anchor = this.#match(/[AzbB]/);
    if (anchor !== undefined) return this.#assertion(anchors[anchor[0]] ?? '');
    const items = this.#classEscape();
    if (items !== undefined) return `[${items}]`;
    return this.#literal(String.fromCodePoint(this.#characterEscape()));
  }

  /** `\d`, `\pL` and the like as items of a class; undefined for an escaped character. */
  #classEscape(): string | undefined {
    const short = this.#match(/[dswDSW]/)?.[0];
    if (short !== undefined) return namedClass(short.toLowerCase(), short !== short.toLowerCase());
    const unicode = this.#match(/([pP])(?:\{(\^?)(\w+)\}|(\w))/);
    if (unicode === undefined) return undefined;
    const [text, letter, caret = '', long, single] = unicode;
    const isNegated = (letter === 'P') !== (caret === '^');
    return (
      unicodeClass(long ?? single ?? '', isNegated) ?? fail('invalid character class range', `\\${text}`)
    );
  }

  #characterEscape(): number {
    const hex = this.#match(/x(?:\{([\da-fA-F]{1,8})\}|([\da-fA-F]{2}))/);
    if (hex !== undefined) return Number.parseInt(hex[1] ?? hex[2] ?? '', 16);
    const octal = this.#match(/0[0-7]{0,2}|[1-7][0-7]{1,2}/);
    if (octal !== undefined) return Number.parseInt(octal[0], 8);
    if (this.#at >= this.#text.length) throw fault('trailing backslash at end of expression', '');
    const character = this.#take();
    const control = Object.hasOwn(controls, character) ? controls[character] : undefined;
    if (control !== undefined) return control;
    if (!punctuation.test(character)) throw fault('invalid escape sequence', `\\${character}`);
    return character.charCodeAt(0);
  }

  #class(): string {
    const start = this.#at - 1;
    const isNegated = this.#match(/\^/) !== undefined;
    let items = '';
    do items += this.#classItem(start);
    while (this.#text[this.#at] !== ']');
    this.#at += 1;
    return `[${isNegated ? '^' : ''}${items}]`;
  }

  #classItem(start: number): string {
    const posix = this.#match(/\[:(\^?)(\w+):\]/);
    if (posix !== undefined)
      return namedClass(posix[2] ?? '', posix[1] === '^') ?? fail('invalid character class range', posix[0]);
    const escaped = this.#text[this.#at] === '\\' ? this.#escapedItems() : undefined;
    if (escaped !== undefined) return escaped;
    const first = this.#classCharacter(start);
    const isRange = this.#match(/-(?!\])/) !== undefined;
    const end = isRange ? this.#classCharacter(start) : first;
    if (end < first) throw fault('invalid character class range', this.#text.slice(start + 1, this.#at));
    return rangeItems([first, end], this.#flags.includes('i'));
  }

  #escapedItems(): string | undefined {
    this.#at += 1;
    const items = this.#classEscape();
    if (items === undefined) this.#at -= 1;
    return items;
  }

  #classCharacter(start: number): number {
    if (this.#at >= this.#text.length) throw fault('missing closing ]', this.#text.slice(start));
    const character = this.#take();
    return character === '\\' ? this.#characterEscape() : (character.codePointAt(0) ?? 0);
  }
}

function fail(problem: string, part: string): never {
  throw fault(problem, part);
}

/** A general category, such as `L`, or a script, such as `Greek`. */
function unicodeClass(name: string, isNegated: boolean): string | undefined {
  const letter = isNegated ? 'P' : 'p';
  const forms = [`\\${letter}{${name}}`, `\\${letter}{Script=${name}}`];
  return forms.find((form) => isValid(form));
}

function isValid(source: string): boolean {
  try {
    return new RegExp(source, 'u').source !== '';
  } catch {
    return false;
  }
}
