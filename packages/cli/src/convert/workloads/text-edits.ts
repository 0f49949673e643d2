import {
  isCollection,
  isPair,
  isScalar,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Changes of a text at the places of its YAML nodes. Everything else stays byte for byte. */
export class TextEdits {
  readonly #text: string;
  readonly #edits = new Map<number, TextEdit>();

  constructor(text: string) {
    this.#text = text;
  }

  get isEmpty(): boolean {
    return this.#edits.size === 0;
  }

  /** Replaces the text of a scalar and keeps its quotes. An alias may lead to the same scalar twice; once is enough. */
  rename(node: Scalar, name: string): void {
    const [start, end] = rangeOf(node);
    this.#add({ start, end, text: this.#text.slice(start, end).replace(String(node.value), name) });
  }

  /** Replaces a pair with another one. */
  replacePair(pair: Pair, text: string): void {
    const [start] = rangeOf(pair.key);
    const [, end] = rangeOf(pair.value);
    this.#add({ start, end, text });
  }

  /** Makes the value of a pair an empty map. */
  empty(pair: Pair): void {
    const [start, end] = rangeOf(pair.key);
    this.replacePair(pair, `${this.#text.slice(start, end)}: {}`);
  }

  /** Removes a pair of a map, or an item of a list, that is not the only one. */
  remove(collection: YAMLMap | YAMLSeq, item: unknown): void {
    const items: readonly unknown[] = collection.items;
    const index = items.indexOf(item);
    const [start, end] = this.#extent(item);
    if (collection.flow) this.#removeFlow(items, index, [start, end]);
    else this.#removeBlock(items[index + 1], start, end);
  }

  /** Adds a copy of an item behind it, in which one text is replaced by another. */
  repeatItem(list: YAMLSeq, item: Node, [from, to]: readonly [string, string]): void {
    const [start, end] = rangeOf(item);
    const copy = this.#text.slice(start, end).replace(from, to).trimEnd();
    if (list.flow) this.#add({ start: end, end, text: `, ${copy}` });
    else {
      const lineStart = this.#lineStart(start);
      const at = this.#lineEnd(this.#contentEnd(start, end));
      const newline = this.#text.includes('\r\n') ? '\r\n' : '\n';
      this.#add({ start: at, end: at, text: `${newline}${this.#itemLead(lineStart, start)}${copy}` });
    }
  }

  applied(): string {
    const edits = [...this.#edits.values()].sort((a, b) => b.start - a.start);
    return edits.reduce(
      (text, { start, end, text: next }) => text.slice(0, start) + next + text.slice(end),
      this.#text,
    );
  }

  #add(edit: TextEdit): void {
    if (!this.#edits.has(edit.start)) this.#edits.set(edit.start, edit);
  }

  /** The spaces and the dash before an item. A list inside a list has more than one dash; the last is its own. */
  #itemLead(lineStart: number, start: number): string {
    const before = this.#text.slice(lineStart, start);
    const dash = before.lastIndexOf('-');
    return `${before.slice(0, dash).replace(/-/g, ' ')}${before.slice(dash)}`;
  }

  #extent(item: unknown): readonly [number, number] {
    if (!isPair(item)) return rangeOf(item);
    const [start] = rangeOf(item.key);
    const [, end] = rangeOf(item.value ?? item.key);
    return [start, end];
  }

  #removeFlow(items: readonly unknown[], index: number, [start, end]: readonly [number, number]): void {
    const next = items[index + 1];
    const previous = items[index - 1];
    if (next !== undefined) this.#add({ start, end: this.#extent(next)[0], text: '' });
    else if (previous !== undefined) this.#add({ start: this.#extent(previous)[1], end, text: '' });
    else this.#add({ start, end, text: '' });
  }

  #removeBlock(next: unknown, start: number, end: number): void {
    const lineStart = this.#lineStart(start);
    const isAlone = /^[\s-]*$/.test(this.#text.slice(lineStart, start));
    const hasDash = this.#text.slice(lineStart, start).includes('-');
    const lineEnd = this.#lineEnd(this.#contentEnd(start, end));
    // The first pair of a list item shares its line with the dash, which the next pair needs.
    const sharesDash = hasDash && next !== undefined && isPair(next);
    if (sharesDash) this.#add({ start, end: this.#extent(next)[0], text: '' });
    else if (isAlone)
      this.#add({
        start: lineStart,
        end: Math.min(lineEnd + this.#newlineAt(lineEnd), this.#text.length),
        text: '',
      });
  }

  #newlineAt(offset: number): number {
    if (this.#text.startsWith('\r\n', offset)) return 2;
    return this.#text[offset] === '\n' ? 1 : 0;
  }

  /** The end without the line breaks and comments that a block collection ends with. */
  #contentEnd(start: number, end: number): number {
    return start + this.#text.slice(start, end).trimEnd().length;
  }

  #lineStart(offset: number): number {
    return this.#text.lastIndexOf('\n', offset - 1) + 1;
  }

  /** The end of the line, before its line break. */
  #lineEnd(offset: number): number {
    const [rest = ''] = /^[^\r\n]*/.exec(this.#text.slice(offset)) ?? [];
    return offset + rest.length;
  }
}

/** Begin and end of a node without what follows it. A block collection ends with its last item. */
function rangeOf(node: unknown): readonly [number, number] {
  if (isCollection(node) && !node.flow) {
    const last = node.items.at(-1);
    const [start] = node.range ?? [0];
    const end = isPair(last) ? rangeOf(last.value ?? last.key)[1] : rangeOf(last)[1];
    return [start, end];
  }
  const range = isScalar(node) || isCollection(node) ? node.range : (node as Node | null)?.range;
  return [range?.[0] ?? 0, range?.[1] ?? 0];
}
