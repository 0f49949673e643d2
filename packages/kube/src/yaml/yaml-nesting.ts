import { CST, Lexer } from 'yaml';

/**
 * The deepest CustomResourceDefinitions have fewer than 100 levels. The library recurses once per level and overflows
 * the stack at about 900. The limit is far below that, because V8 aborts the process, without an exception, if it has
 * to compile a regular expression near the end of the stack.
 */
const depthLimit = 250;

/** Whether the text has too many levels for the library. */
export function isNestedTooDeeply(text: string): boolean {
  const nesting = new YamlNesting();
  for (const lexeme of new Lexer().lex(text)) {
    nesting.add(lexeme);
    if (nesting.isTooDeep) return true;
  }
  return false;
}

/** Counts the nesting levels of a text from its lexemes, without recursion. */
export class YamlNesting {
  /** Levels within brackets and braces. */
  #flow = 0;
  /**
   * Start of each block level: twice the column, plus one for a list, because the items of a list may be in the same
   * column as the key that the list belongs to.
   */
  readonly #blocks: number[] = [];
  #column = 0;
  #startsLine = true;
  /** Whether the line has a colon already. A second one is an error, but the library recurses for it. */
  #hasValue = false;

  get isTooDeep(): boolean {
    return this.#flow + this.#blocks.length > depthLimit;
  }

  add(lexeme: string): void {
    const type = CST.tokenType(lexeme);
    if (type === 'newline') this.#endLine();
    else if (type === 'flow-seq-start' || type === 'flow-map-start') this.#flow += 1;
    else if (type === 'flow-seq-end' || type === 'flow-map-end') this.#flow = Math.max(0, this.#flow - 1);
    else if (type !== 'space' && this.#flow === 0) this.#addBlock(type);
    if (type !== 'newline') this.#column += lexeme.length;
  }

  #endLine(): void {
    this.#column = 0;
    this.#startsLine = true;
    this.#hasValue = false;
  }

  /**
   * Counts each dash, because a list may begin on the line of another, each question mark of an explicit key, and each
   * colon of a line after the first. Other tokens count only at the beginning of a line.
   */
  #addBlock(type: string | null): void {
    const isList = type === 'seq-item-ind';
    const isValue = type === 'map-value-ind';
    const continuesLine = isList || type === 'explicit-key-ind';
    const isAnotherValue = isValue && this.#hasValue;
    this.#hasValue ||= isValue;
    if (!this.#startsLine && !continuesLine && !isAnotherValue) return;
    const start = 2 * this.#column + (isList ? 1 : 0);
    while ((this.#blocks.at(-1) ?? -1) > start) this.#blocks.pop();
    if (this.#blocks.at(-1) !== start) this.#blocks.push(start);
    this.#startsLine = continuesLine;
  }
}
