/** RE2's limit on repetitions within repetitions: `(a{100}){100}` is refused. */
const maxRepeats = 1_000;
/** A Unicode class has hundreds of ranges, which take the memory of about this many instructions. */
const unicodeClass = 50;
/** Case folding of a class beyond ASCII visits each of its characters. */
const foldedClass = 2_000;

// Quoted texts, escapes, classes, flags, repetition counts, then single characters. RE2 refuses an opening bracket
// that does not begin a class.
const tokens =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pP]\{\^?\w+\}|\\x\{[0-9a-fA-F]+\}|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]|\(\?[a-zA-Z-]+\)|\{(\d+)(?:,(\d*))?\}|[\s\S]/gu;

/** A part of an expression: its instructions, and the largest product of nested repetition counts in it. */
interface Part {
  readonly size: number;
  readonly repeats: number;
}

/** Operators that compile to up to two instructions. */
const operators = new Set(['*', '+', '?', '|']);

const empty: Part = { size: 0, repeats: 1 };

/**
 * Upper estimate of the instructions that RE2 compiles an expression to. Checked before compiling, because nested
 * counts can make a million instructions of 20 characters. Throws RE2's error for counts that it refuses.
 */
export function expressionSize(expression: string): number {
  const groups = [new Group()];
  let classes = 0;
  const foldsCase = /\(\?[a-zA-Z]*i/.test(expression);
  for (const match of expression.matchAll(tokens)) {
    const [token, least] = match;
    const group = groups.at(-1) ?? new Group();
    if (token === '[') break;
    if (token === '(') groups.push(new Group());
    else if (token === ')') close(groups);
    else if (least !== undefined) group.repeat(token, Number(match[2] || least));
    else group.add({ size: tokenSize(token), repeats: 1 });
    classes += classSize(token, foldsCase);
  }
  while (groups.length > 1) close(groups);
  return classes + (groups[0]?.size ?? 0);
}

function close(groups: Group[]): void {
  const parent = groups.at(-2);
  if (parent === undefined) return;
  const { size, repeats } = groups.pop() ?? empty;
  parent.add({ size: size + 2, repeats });
}

function tokenSize(token: string): number {
  if (token.startsWith('\\Q')) return token.length;
  return operators.has(token) ? 2 : 1;
}

/** Size of a character class in addition to its instruction. Repetitions share it, so it counts once. */
function classSize(token: string, foldsCase: boolean): number {
  const unicode = token.match(/\\[pP]/g)?.length ?? 0;
  const isFolded = foldsCase && (unicode > 0 || /[\u0080-\uffff]|\\x/.test(token));
  return isFolded ? foldedClass : unicode * unicodeClass;
}

class Group {
  size = 0;
  repeats = 1;
  #last: Part = empty;

  add(part: Part): void {
    this.size += part.size;
    this.repeats = Math.max(this.repeats, part.repeats);
    this.#last = part;
  }

  /** Replaces the last part with `count` repetitions of it. */
  repeat(token: string, count: number): void {
    const { size, repeats } = this.#last;
    const product = repeats * Math.max(count, 1);
    if (product > maxRepeats) throw new Error(`error parsing regexp: invalid repeat count: \`${token}\``);
    this.size -= size;
    // Each optional repetition has an instruction of its own.
    this.add({ size: (size + 1) * Math.max(count, 1), repeats: product });
  }
}
