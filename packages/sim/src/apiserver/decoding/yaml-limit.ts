import { YamlNesting } from '@karpenter/kube/yaml';
import { CST, Lexer } from 'yaml';
import { StatusError } from '../status/status-error.ts';

/**
 * Kubernetes has no such limit. Parsing YAML takes a hundred times as long as JSON, and this server has one
 * thread for all clients; a body of this many tokens takes a quarter of a second.
 */
const tokenLimit = 150_000;
/** Tokens that are parsed in less or more time than others. The library keeps comments and directives for each document. */
const weights: ReadonlyMap<string | null, number> = new Map([
  ['space', 0],
  ['newline', 0],
  ['byte-order-mark', 0],
  ['comment', 4],
  ['directive-line', 8],
]);

/**
 * Refuses a body that would take too long to parse, and says whether it is too deep to be parsed at all. Reads no
 * further than the limits.
 */
export function isTooDeepYaml(text: string): boolean {
  const nesting = new YamlNesting();
  let tokens = 0;
  for (const lexeme of new Lexer().lex(text)) {
    nesting.add(lexeme);
    if (nesting.isTooDeep) return true;
    tokens += weights.get(CST.tokenType(lexeme)) ?? 1;
    if (tokens > tokenLimit) {
      const message = `Request entity too large: a YAML body may have at most ${tokenLimit} tokens; send it as JSON`;
      throw new StatusError(413, 'RequestEntityTooLarge', message);
    }
  }
  return false;
}
