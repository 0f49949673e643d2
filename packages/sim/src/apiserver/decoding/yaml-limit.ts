import { YamlNesting } from '@karpenter/kube/yaml';
import { CST } from 'yaml';
import { StatusError } from '../status/status-error.ts';

/**
 * Kubernetes has no such limit. Parsing YAML takes a hundred times as long as JSON, and this server has one
 * thread for all clients; a body of this many tokens takes a quarter of a second, half of it without a yield.
 */
const tokenLimit = 150_000;
/** Relative parse time of tokens. The library keeps comments and directives for each document. */
const weights: ReadonlyMap<string | null, number> = new Map([
  ['space', 0],
  ['newline', 0],
  ['byte-order-mark', 0],
  ['comment', 4],
  ['directive-line', 8],
]);

/** Counts tokens and levels of a body before it is parsed, to reject one that is too long or nested too deeply. */
export class YamlLimit {
  readonly #nesting = new YamlNesting();
  #tokens = 0;

  /** Whether the text is nested too deeply for the library, which recurses for each level. */
  get isTooDeep(): boolean {
    return this.#nesting.isTooDeep;
  }

  /** Throws a StatusError after too many tokens. */
  add(lexeme: string): void {
    this.#nesting.add(lexeme);
    this.#tokens += weights.get(CST.tokenType(lexeme)) ?? 1;
    if (this.#tokens <= tokenLimit) return;
    const message = `Request entity too large: a YAML body may have at most ${tokenLimit} tokens; send it as JSON`;
    throw new StatusError(413, 'RequestEntityTooLarge', message);
  }
}
