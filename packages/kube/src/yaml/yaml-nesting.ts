import { CST, Lexer } from 'yaml';

/**
 * The deepest custom resource definitions have fewer than 100 levels. The library calls itself for each level, and the
 * stack ends after about 900. It must not come close to that: V8 aborts the process, without an exception, if it has to
 * compile a regular expression there.
 */
const depthLimit = 250;

/** Whether the text has too many levels for the library, which then may end the process. */
export function isNestedTooDeeply(text: string): boolean {
  const nesting = new YamlNesting();
  for (const lexeme of new Lexer().lex(text)) {
    nesting.add(lexeme);
    if (nesting.isTooDeep) return true;
  }
  return false;
}

/** Follows the levels of a text from lexeme to lexeme, without recursion. */
export class YamlNesting {
  /** Levels within brackets and braces. */
  #flow = 0;
  /**
   * Where each level outside of them begins: twice the column, and one more for a list, because the items of a list may
   * be as far left as the key that it belongs to.
   */
  readonly #blocks: number[] = [];
  #column = 0;
  #startsLine = true;
  /** Whether a colon came before on this line. Another one is an error, but the library goes a level deeper for it. */
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
   * A list may begin on the line of another, so each of its dashes counts, as do question marks of explicit keys and all
   * colons of a line but the first; of all else only what begins the line.
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
