import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isPair,
  type Node,
  Parser,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

interface CommentToken {
  readonly offset: number;
  readonly text: string;
}

/** A key or list item, which comments can stand before. */
interface Entry {
  readonly node: Node;
  readonly offset: number;
  readonly column: number;
}

interface Block {
  readonly collection: YAMLMap | YAMLSeq;
  readonly column: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Attaches every comment of a document to the key or item that it is about. The parser attaches a comment after a list
 * to the list even if it is indented like the next key; when the list moves elsewhere, the comment would go with it.
 */
export function placeComments(document: Document, text: string): void {
  const places = new CommentPlaces(document, text);
  clearComments(document);
  for (const comment of commentsOf(text)) places.attach(comment);
}

class CommentPlaces {
  readonly #text: string;
  readonly #entries: Entry[] = [];
  readonly #blocks: Block[] = [];
  readonly #leaves: Node[] = [];
  #last: { readonly node: Node; readonly end: number } | undefined;

  constructor(document: Document, text: string) {
    this.#text = text;
    this.#collect(document.contents as Node | null);
  }

  /** Comments inside a flow collection stay as the parser attached them. */
  attach({ offset, text }: CommentToken): void {
    if (this.#leaves.some(({ range }) => range != null && range[0] < offset && offset < range[1])) return;
    const lineStart = this.#text.lastIndexOf('\n', offset - 1) + 1;
    const isAlone = this.#text.slice(lineStart, offset).trim() === '';
    if (isAlone) this.#attachLine({ offset, text }, offset - lineStart);
    else this.#attachToLine({ offset, text }, lineStart);
  }

  #collect(node: Node | null): void {
    if (!isCollection(node) || node.flow) {
      if (node !== null) this.#leaves.push(node);
      return;
    }
    const [start = 0, end = 0] = node.range ?? [];
    const collection = node as YAMLMap | YAMLSeq;
    const column = this.#columnOf(isMap(node) ? start : this.#dashBefore(start));
    this.#blocks.push({ collection, column, start, end });
    for (const item of collection.items) {
      if (isPair(item)) this.#collectEntry(item.key, item.value);
      else this.#collectEntry(item, item);
    }
  }

  #collectEntry(entry: unknown, value: unknown): void {
    if (isNode(entry)) this.#addEntry(entry, entry !== value);
    if (isNode(value)) this.#collect(value);
  }

  #addEntry(node: Node, isKey: boolean): void {
    const [start = 0] = node.range ?? [];
    const offset = isKey ? start : this.#dashBefore(start);
    this.#entries.push({ node, offset, column: this.#columnOf(offset) });
  }

  /** The dash of a list item; a list of its own range begins at its first one. */
  #dashBefore(offset: number): number {
    return this.#text[offset] === '-' && /\s/.test(this.#text[offset + 1] ?? '')
      ? offset
      : this.#text.lastIndexOf('-', offset);
  }

  #columnOf(offset: number): number {
    return offset - (this.#text.lastIndexOf('\n', offset - 1) + 1);
  }

  /** A comment on a line of its own is about what follows, unless that is indented less; then it ends its block. */
  #attachLine(comment: CommentToken, column: number): void {
    const next = this.#entries.find(({ offset }) => offset > comment.offset);
    if (next !== undefined && next.column >= column) this.#before(next.node, comment);
    else this.#atEnd(comment, column);
  }

  #atEnd(comment: CommentToken, column: number): void {
    const open = this.#blocks.filter(
      (block) =>
        block.start < comment.offset && block.column <= column && this.#isLast(block, comment.offset),
    );
    const block = open.at(-1) ?? this.#blocks[0];
    if (block === undefined) return;
    const { collection } = block;
    collection.comment = this.#joined(collection.comment, collection, comment);
  }

  /** Whether nothing but comments lies between the last entry of a block and the comment. */
  #isLast(block: Block, offset: number): boolean {
    const before = this.#entries.filter((entry) => entry.offset < offset).at(-1);
    const inside = this.#blocks.filter(({ start, end }) => start >= block.start && end <= block.end);
    const items = inside.flatMap(({ collection }) => collection.items as readonly unknown[]);
    return before !== undefined && items.some((item) => (isPair(item) ? item.key : item) === before.node);
  }

  #before(node: Node, comment: CommentToken): void {
    if (!node.commentBefore && this.#followsBlankLine(comment.offset)) node.spaceBefore = true;
    node.commentBefore = this.#joined(node.commentBefore, node, comment);
  }

  #followsBlankLine(offset: number): boolean {
    return /\n[ \t]*\r?\n[ \t]*$/.test(this.#text.slice(0, offset));
  }

  #joined(existing: string | null | undefined, node: Node, { offset, text }: CommentToken): string {
    const gap =
      this.#last?.node === node && /\n[ \t]*\r?\n/.test(this.#text.slice(this.#last.end, offset)) ? '\n' : '';
    this.#last = { node, end: offset };
    return existing ? `${existing}\n${gap}${text}` : text;
  }

  /** A comment behind something is about the value that ends there, else about what the key of the line holds. */
  #attachToLine(comment: CommentToken, lineStart: number): void {
    const value = this.#leaves.filter(({ range }) => endsBetween(range, lineStart, comment.offset)).at(-1);
    if (value !== undefined) {
      value.comment = comment.text;
      return;
    }
    const next = this.#entries.find(({ offset }) => offset > comment.offset);
    if (next !== undefined) this.#before(next.node, comment);
    else this.#atEnd(comment, 0);
  }
}

function endsBetween(range: Node['range'], lineStart: number, offset: number): boolean {
  const [start = 0, end = 0] = range ?? [];
  return (end > lineStart && end <= offset) || (start >= lineStart && start < offset && end <= offset);
}

function clearComments(document: Document): void {
  document.commentBefore = null;
  document.comment = null;
  visit(document, {
    Node: (_, node) => {
      node.commentBefore = null;
      node.comment = null;
      return isCollection(node) && node.flow ? visit.SKIP : undefined;
    },
  });
}

/** All comments of a text, found in its syntax tree, so that a `#` inside a string is none. */
function commentsOf(text: string): readonly CommentToken[] {
  const found: CommentToken[] = [];
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(collect);
    else if (typeof value === 'object' && value !== null) {
      if (isComment(value)) found.push({ offset: value.offset, text: value.source.slice(1).trimEnd() });
      else Object.values(value).forEach(collect);
    }
  };
  for (const token of new Parser().parse(text)) collect(token);
  return found.toSorted((a, b) => a.offset - b.offset);
}

function isComment(value: object): value is { readonly offset: number; readonly source: string } {
  return 'type' in value && value.type === 'comment' && 'source' in value && 'offset' in value;
}
