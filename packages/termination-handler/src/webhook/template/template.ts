import {
  type GoStruct,
  type GoValue,
  isList,
  isMap,
  isStruct,
  isTrue,
  printed,
  sortedEntries,
} from './go-value.ts';
import { templateError } from './template-error.ts';
import { callFunction } from './template-functions.ts';
import { parseTemplate } from './template-parser.ts';
import type { Operand, Pipeline, TemplateNode } from './template-tree.ts';

/** A Go template. Both methods throw `invalid-template`. */
export class GoTemplate {
  readonly #nodes: readonly TemplateNode[];

  constructor(text: string) {
    this.#nodes = parseTemplate(text);
  }

  render(data: GoStruct): string {
    return new Rendering(data).list(this.#nodes, data);
  }
}

/** One execution: variables by name; blocks see those around them, as in Go. */
class Rendering {
  #variables: ReadonlyMap<string, GoValue>;

  constructor(data: GoStruct) {
    this.#variables = new Map([['$', data]]);
  }

  list(nodes: readonly TemplateNode[], dot: GoValue): string {
    return nodes.map((node) => this.#node(node, dot)).join('');
  }

  #node(node: TemplateNode, dot: GoValue): string {
    if (node.kind === 'text') return node.text;
    const { variables } = node.pipeline;
    const value = this.#pipeline(node.pipeline, dot);
    if (node.kind === 'action')
      return variables.length > 0 ? this.#assigned(node.pipeline, value) : printed(value);
    const outer = this.#variables;
    const text = node.kind === 'range' ? this.#range(node, value, dot) : this.#branch(node, value, dot);
    this.#restore(outer);
    return text;
  }

  #branch(node: Exclude<TemplateNode, { kind: 'text' | 'action' }>, value: GoValue, dot: GoValue): string {
    this.#assigned(node.pipeline, value);
    if (!isTrue(value)) return this.list(node.otherwise, dot);
    return this.list(node.body, node.kind === 'with' ? value : dot);
  }

  #range(node: Exclude<TemplateNode, { kind: 'text' | 'action' }>, value: GoValue, dot: GoValue): string {
    const items = entriesOf(value);
    if (items.length === 0) return this.list(node.otherwise, dot);
    const [first, second] = node.pipeline.variables;
    return items
      .map(([key, item]) => {
        if (second !== undefined && first !== undefined) this.#declare(first, key);
        const element = second ?? first;
        if (element !== undefined) this.#declare(element, item);
        return this.list(node.body, item);
      })
      .join('');
  }

  /** Variables that a block declares end with it; assignments to outer ones stay. */
  #restore(outer: ReadonlyMap<string, GoValue>): void {
    this.#variables = new Map([...outer].map(([name, value]) => [name, this.#variables.get(name) ?? value]));
  }

  #assigned({ variables, isDeclaration }: Pipeline, value: GoValue): string {
    const [name] = variables;
    if (name === undefined) return '';
    if (!isDeclaration && !this.#variables.has(name))
      throw templateError(`the variable ${name} is not declared`);
    this.#declare(name, value);
    return '';
  }

  #declare(name: string, value: GoValue): void {
    this.#variables = new Map(this.#variables).set(name, value);
  }

  #pipeline({ commands }: Pipeline, dot: GoValue): GoValue {
    let piped: readonly GoValue[] = [];
    for (const [first, ...rest] of commands) {
      if (first === undefined) continue;
      const args = [...rest.map((operand) => this.#operand(operand, dot)), ...piped];
      if (first.kind === 'call') piped = [callFunction(first.name, args)];
      else if (args.length > 0) throw templateError('a value is piped into something that is not a function');
      else piped = [this.#operand(first, dot)];
    }
    return piped[0] ?? null;
  }

  #operand(operand: Operand, dot: GoValue): GoValue {
    if (operand.kind === 'value') return operand.value;
    if (operand.kind === 'call') return callFunction(operand.name, []);
    const start =
      operand.kind === 'pipeline' ? this.#pipeline(operand.pipeline, dot) : this.#start(operand.from, dot);
    return operand.path.reduce(fieldOf, start);
  }

  #start(from: string | undefined, dot: GoValue): GoValue {
    if (from === undefined) return dot;
    const value = this.#variables.get(from);
    if (value === undefined) throw templateError(`the variable ${from} is not declared`);
    return value;
  }
}

function fieldOf(value: GoValue, name: string): GoValue {
  if (isMap(value)) return value.get(name) ?? '';
  const field = isStruct(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  if (field !== undefined) return field;
  const known = isStruct(value) ? `; there are ${Object.keys(value).join(', ')}` : '';
  throw templateError(`there is no field ${name}${known}`);
}

function entriesOf(value: GoValue): readonly (readonly [GoValue, GoValue])[] {
  if (isList(value)) return value.map((item, index) => [index, item]);
  if (isMap(value)) return sortedEntries(value);
  if (value === null) return [];
  throw templateError(`range has no meaning for ${printed(value)}`);
}
