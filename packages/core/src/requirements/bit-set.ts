/**
 * An immutable set of small non-negative integers. Stores only the 32-bit words between the first and the
 * last member, so {50000} takes one word. The first word is a field of the object: nearly every set of label
 * values fits into it, and then no array is allocated or read.
 */
export class BitSet {
  static readonly empty = new BitSet(0, 0, undefined);

  /** Position of the first word: members below 32 × offset are absent. */
  readonly offset: number;
  /** The first word, as a signed integer; never 0 except in the empty set. */
  readonly first: number;
  /** All words, the first included, when there is more than one. */
  readonly words: Uint32Array | undefined;

  private constructor(offset: number, first: number, words: Uint32Array | undefined) {
    this.offset = offset;
    this.first = first;
    this.words = words;
  }

  static of(members: readonly number[]): BitSet {
    const [only] = members;
    if (only === undefined) return BitSet.empty;
    if (members.length === 1) return new BitSet(only >>> 5, 1 << (only & 31), undefined);
    const low = members.reduce((a, b) => Math.min(a, b)) >>> 5;
    const high = members.reduce((a, b) => Math.max(a, b)) >>> 5;
    const words = new Uint32Array(high - low + 1);
    for (const member of members)
      words[(member >>> 5) - low] = wordOf(words, (member >>> 5) - low) | (1 << (member & 31));
    return BitSet.trimmed(low, words);
  }

  /** Takes ownership of `words`; drops the zero words at both ends, so that equal sets have equal fields. */
  private static trimmed(offset: number, words: Uint32Array): BitSet {
    let start = 0;
    let end = words.length;
    while (end > 0 && words[end - 1] === 0) end--;
    while (start < end && words[start] === 0) start++;
    if (start === end) return BitSet.empty;
    const first = wordOf(words, start) | 0;
    if (end - start === 1) return new BitSet(offset + start, first, undefined);
    return new BitSet(
      offset + start,
      first,
      start === 0 && end === words.length ? words : words.slice(start, end),
    );
  }

  get isEmpty(): boolean {
    return this.first === 0;
  }

  get size(): number {
    let size = 0;
    for (let at = this.offset; at < this.end; at++) size += bitCount(this.word(at));
    return size;
  }

  /** One past the position of the last word. */
  get end(): number {
    if (this.words !== undefined) return this.offset + this.words.length;
    return this.first === 0 ? this.offset : this.offset + 1;
  }

  /** The word at a position, 0 outside the kept range. */
  word(position: number): number {
    if (position === this.offset) return this.first;
    if (this.words === undefined) return 0;
    return (this.words[position - this.offset] ?? 0) | 0;
  }

  has(member: number): boolean {
    return (this.word(member >>> 5) & (1 << (member & 31))) !== 0;
  }

  equals(other: BitSet): boolean {
    if (this.offset !== other.offset || this.first !== other.first || this.end !== other.end) return false;
    for (let at = this.offset + 1; at < this.end; at++) if (this.word(at) !== other.word(at)) return false;
    return true;
  }

  /** Whether some member is also in `other`. Allocates nothing. */
  meets(other: BitSet): boolean {
    if (this.words === undefined) return (this.first & other.word(this.offset)) !== 0;
    if (other.words === undefined) return (other.first & this.word(other.offset)) !== 0;
    const end = Math.min(this.end, other.end);
    for (let at = Math.max(this.offset, other.offset); at < end; at++) {
      if ((this.word(at) & other.word(at)) !== 0) return true;
    }
    return false;
  }

  /** Whether some member is not in `other`. Allocates nothing. */
  exceeds(other: BitSet): boolean {
    if (this.words === undefined) return (this.first & ~other.word(this.offset)) !== 0;
    for (let at = this.offset; at < this.end; at++) {
      if ((this.word(at) & ~other.word(at)) !== 0) return true;
    }
    return false;
  }

  and(other: BitSet): BitSet {
    if (this.words === undefined) return this.within(this.first & other.word(this.offset));
    if (other.words === undefined) return other.within(other.first & this.word(other.offset));
    const start = Math.max(this.offset, other.offset);
    const length = Math.max(0, Math.min(this.end, other.end) - start);
    const words = new Uint32Array(length);
    for (let i = 0; i < length; i++) words[i] = this.word(start + i) & other.word(start + i);
    return this.orSame(BitSet.trimmed(start, words));
  }

  minus(other: BitSet): BitSet {
    if (this.words === undefined) return this.within(this.first & ~other.word(this.offset));
    const words = new Uint32Array(this.words.length);
    for (let i = 0; i < words.length; i++)
      words[i] = this.word(this.offset + i) & ~other.word(this.offset + i);
    return this.orSame(BitSet.trimmed(this.offset, words));
  }

  or(other: BitSet): BitSet {
    if (other.isEmpty) return this;
    if (this.isEmpty) return other;
    const start = Math.min(this.offset, other.offset);
    const words = new Uint32Array(Math.max(this.end, other.end) - start);
    for (let i = 0; i < words.length; i++) words[i] = this.word(start + i) | other.word(start + i);
    return this.orSame(BitSet.trimmed(start, words));
  }

  /** The members, ascending. */
  members(): number[] {
    const members: number[] = [];
    for (let at = this.offset; at < this.end; at++) {
      for (let rest = this.word(at); rest !== 0; rest &= rest - 1) members.push(at * 32 + lowestBit(rest));
    }
    return members;
  }

  /** This set if `first`, its only word, is unchanged: results that change nothing keep their identity. */
  private within(first: number): BitSet {
    if (first === this.first) return this;
    return first === 0 ? BitSet.empty : new BitSet(this.offset, first, undefined);
  }

  private orSame(result: BitSet): BitSet {
    return result.equals(this) ? this : result;
  }
}

/** Position of the lowest set bit of a non-zero word. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

function wordOf(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

function bitCount(word: number): number {
  let count = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) count++;
  return count;
}
