import { templateError } from './template-error.ts';
import { functionNames, isFunctionName } from './template-functions.ts';
import type { Word } from './template-lexer.ts';
import type { Operand, Pipeline } from './template-tree.ts';

const constants: Readonly<Record<string, boolean | null>> = { true: true, false: false, nil: null };

/** Parses the words of one action: `$x := .A.B | upper | printf "%s" (len .Pods)`. */
export class PipelineParser {
  readonly #words: readonly Word[];
  #at = 0;

  constructor(words: readonly Word[]) {
    this.#words = words;
  }

  parse(): Pipeline {
    const pipeline = this.#pipeline();
    const extra = this.#words[this.#at];
    if (extra !== undefined)
      throw templateError(`there is something unexpected at ${JSON.stringify(extra.text)}`);
    return pipeline;
  }

  #pipeline(): Pipeline {
    const declared = this.#variables();
    const commands = [this.#command()];
    while (this.#take('|')) commands.push(this.#command());
    return { ...declared, commands };
  }

  #variables(): Pick<Pipeline, 'variables' | 'isDeclaration'> {
    const start = this.#at;
    const variables: string[] = [];
    do {
      const word = this.#words[this.#at];
      if (word?.type !== 'variable') break;
      variables.push(word.text);
      this.#at += 1;
    } while (this.#take(','));
    const isDeclaration = this.#take(':=');
    if (variables.length > 0 && (isDeclaration || this.#take('='))) return { variables, isDeclaration };
    this.#at = start;
    return { variables: [], isDeclaration: false };
  }

  #command(): readonly Operand[] {
    const operands: Operand[] = [];
    for (let operand = this.#operand(); operand !== undefined; operand = this.#operand())
      operands.push(operand);
    if (operands.length === 0) throw templateError('an action or a step of a pipeline is empty');
    const [first, ...rest] = operands;
    if (rest.length > 0 && first?.kind !== 'call') throw templateError('only functions take arguments');
    return operands;
  }

  #operand(): Operand | undefined {
    const word = this.#words[this.#at];
    if (word === undefined || (word.type === 'symbol' && word.text !== '(')) return undefined;
    this.#at += 1;
    if (word.text === '(' && word.type === 'symbol') return this.#group();
    if (word.type === 'string') return { kind: 'value', value: unquoted(word.text) };
    if (word.type === 'number') return { kind: 'value', value: Number(word.text) };
    if (word.type === 'variable') return { kind: 'field', from: word.text, path: this.#path() };
    if (word.type === 'field') return this.#field(word.text.replace(/^\+/, ''));
    return namedOperand(word.text);
  }

  #field(text: string): Operand {
    const own = text === '.' ? [] : [text.slice(1)];
    return { kind: 'field', from: undefined, path: [...own, ...this.#path()] };
  }

  #group(): Operand {
    const pipeline = this.#pipeline();
    if (!this.#take(')')) throw templateError('a parenthesis is not closed');
    return { kind: 'pipeline', pipeline, path: this.#path() };
  }

  /** Fields that touch the word before them. */
  #path(): readonly string[] {
    const path: string[] = [];
    for (let word = this.#words[this.#at]; word?.text.startsWith('+.'); word = this.#words[this.#at]) {
      path.push(word.text.slice(2));
      this.#at += 1;
    }
    return path;
  }

  #take(symbol: string): boolean {
    const word = this.#words[this.#at];
    const isNext = word?.type === 'symbol' && word.text === symbol;
    if (isNext) this.#at += 1;
    return isNext;
  }
}

function namedOperand(name: string): Operand {
  const constant = Object.hasOwn(constants, name) ? constants[name] : undefined;
  if (constant !== undefined) return { kind: 'value', value: constant };
  if (isFunctionName(name)) return { kind: 'call', name };
  throw templateError(
    `the function ${JSON.stringify(name)} is not supported; there are ${functionNames.join(', ')}`,
  );
}

function unquoted(text: string): string {
  if (text.startsWith('`')) return text.slice(1, -1);
  try {
    return JSON.parse(text.replace(/\t/g, '\\t'));
  } catch {
    throw templateError(`the string ${text} has an unknown escape`);
  }
}
