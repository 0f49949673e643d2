/** RE2's limit on repetitions within repetitions: `(a{100}){100}` is refused. */
const mostRepeats = 1_000;
/** A class of Unicode has hundreds of ranges, which take the memory of so many instructions. */
const unicodeClass = 50;
/** To ignore the case of a class beyond ASCII takes a look at each of its characters. */
const foldedClass = 2_000;

// Quoted texts, escapes, classes, flags, then the characters that have a meaning, then all others. An opening
// bracket that does not begin a class is one that RE2 refuses.
const tokens =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pP]\{\^?\w+\}|\\x\{[0-9a-fA-F]+\}|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]|\(\?[a-zA-Z-]+\)|\{(\d+)(?:,(\d*))?\}|[\s\S]/gu;

/** A part of an expression: its instructions, and the largest product of counts that are nested in it. */
interface Part {
  readonly size: number;
  readonly repeats: number;
}

/** They add an instruction or two to what they follow. */
const operators = new Set(['*', '+', '?', '|']);

const empty: Part = { size: 0, repeats: 1 };

/**
 * About how many instructions RE2 compiles an expression to, and not fewer: counts repeat what they follow, so
 * that 20 characters can be a million instructions. Throws RE2's error for counts that it refuses.
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

/** What a class takes besides its instructions, which share its ranges. */
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

  /** Replaces the last part by so many of it. */
  repeat(token: string, count: number): void {
    const { size, repeats } = this.#last;
    const product = repeats * Math.max(count, 1);
    if (product > mostRepeats) throw new Error(`error parsing regexp: invalid repeat count: \`${token}\``);
    this.size -= size;
    // Each optional repetition has an instruction of its own.
    this.add({ size: (size + 1) * Math.max(count, 1), repeats: product });
  }
}
