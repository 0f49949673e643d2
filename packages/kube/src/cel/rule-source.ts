export interface RuleSource {
  /** The expression with calls renamed to our functions where the library's differ from Kubernetes'. */
  readonly expression: string;
  /** Whether it reads `oldSelf`, the value before an update. */
  readonly usesOldSelf: boolean;
}

// A string literal, raw or not, in one or three quotes of either kind; or an identifier, with the opening
// parenthesis if it is a call. Literals must match so that identifiers within them are left alone. One that does not end
// matches up to the end of the rule: otherwise each quote in it would be tried as the start of another.
const tokens =
  /[rR]?[bB]?(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$))|[bB]?[rR](?:"[^"]*"?|'[^']*'?)|"(?:\\[\s\S]?|[^"\\])*"?|'(?:\\[\s\S]?|[^'\\])*'?|([A-Za-z_]\w*)(\s*\()?/g;

/** kube-apiserver's limit. */
const maxRuleLength = 100_000;

/**
 * Prepares a rule for the CEL library. Its own functions cannot be redefined, and some are not what the API
 * server does (`int('')` is 0, `matches` has no Unicode), so calls to them are renamed to ours.
 */
export function readRule(rule: string, renamed: ReadonlyMap<string, string>): RuleSource {
  if (rule.length > maxRuleLength) {
    throw new Error(`expression code point size exceeds limit: size: ${rule.length}, limit ${maxRuleLength}`);
  }
  let usesOldSelf = false;
  const expression = rule.replace(tokens, (token: string, name?: string, opening?: string) => {
    if (name === 'oldSelf') usesOldSelf = true;
    const other = name !== undefined && opening !== undefined ? renamed.get(name) : undefined;
    return other === undefined ? token : other + opening;
  });
  return { expression: widenHas(expression), usesOldSelf };
}

const literalsAndParentheses =
  /[rRbB]{0,2}(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$))|[bB]?[rR](?:"[^"]*"?|'[^']*'?)|"(?:\\[\s\S]?|[^"\\])*"?|'(?:\\[\s\S]?|[^'\\])*'?|[()]|\bhas\s*\(/g;

/**
 * The library's `has` only accepts names joined by dots. This rewrites `has(self.list[0].name)` to the
 * equivalent `(self.list[0].?name.hasValue())`.
 */
function widenHas(expression: string): string {
  // The text within each open parenthesis, from the outermost to the innermost.
  const open: { readonly opening: string; text: string }[] = [{ opening: '', text: '' }];
  let end = 0;
  for (const { 0: token, index } of expression.matchAll(literalsAndParentheses)) {
    append(open, expression.slice(end, index));
    end = index + token.length;
    if (token.endsWith('(')) open.push({ opening: token, text: '' });
    else append(open, token === ')' && open.length > 1 ? closed(open.pop()) : token);
  }
  append(open, expression.slice(end));
  return open.map(({ opening, text }) => opening + text).join('');
}

function append(open: readonly { text: string }[], text: string): void {
  const innermost = open.at(-1);
  if (innermost) innermost.text += text;
}

function closed({ opening, text }: { opening: string; text: string } = { opening: '', text: '' }): string {
  return (opening === '(' ? undefined : presence(text)) ?? `${opening}${text})`;
}

/** Returns the rewritten call, or undefined if the library can evaluate the argument as it is. */
function presence(argument: string): string | undefined {
  const [, owner, field] = /^([\s\S]*)\.\s*([A-Za-z_]\w*)\s*$/.exec(argument) ?? [];
  if (owner === undefined || /^[\w\s.]*$/.test(owner)) return undefined;
  return `(${owner}.?${field}.hasValue())`;
}
