import { CST, Lexer } from 'yaml';
import { StatusError } from '../status/status-error.ts';

/**
 * Kubernetes has no such limit. Parsing YAML takes a hundred times as long as JSON, and this server has one
 * thread for all clients; a body of this many tokens takes a quarter of a second.
 */
const tokenLimit = 150_000;
const ignored = new Set(['space', 'newline', 'comment', 'byte-order-mark']);

/** Refuses a body that would take too long to parse. Reads no further than the limit. */
export function requireShortYaml(text: string): void {
  let tokens = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (ignored.has(CST.tokenType(lexeme) ?? '')) continue;
    tokens += 1;
    if (tokens > tokenLimit) {
      const message = `Request entity too large: a YAML body may have at most ${tokenLimit} tokens; send it as JSON`;
      throw new StatusError(413, 'RequestEntityTooLarge', message);
    }
  }
}
