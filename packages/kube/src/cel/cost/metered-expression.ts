import type { ParseResult } from '@marcbachmann/cel-js';
import { callCost, iterationCosts, literalCosts, operatorCost } from './call-cost.ts';
import { spend } from './cost-meter.ts';
import { deepSize, sizeOf } from './value-size.ts';

type Evaluate = (evaluator: unknown, node: unknown, context: unknown) => unknown;

/** A node of the CEL library's syntax tree as its evaluator sees it, which is more than its types say. */
interface EvaluatedNode {
  readonly op: string;
  readonly args: unknown;
  readonly meta: {
    readonly evaluate: Evaluate;
    /** What the node was expanded to, such as the loop of `all`. */
    readonly alternate?: EvaluatedNode;
    readonly macro?: { readonly evaluate: Evaluate };
  };
  evaluate: Evaluate;
  /** Computes the result from the values of the operands. Set by the type check. */
  handle?: Handle;
}

/** An operator gets its two operands first, a call the list of its values. */
type Handle = (first: unknown, second: unknown, third: unknown, fourth: unknown) => unknown;

/**
 * Makes an expression count its cost while it is evaluated. The library has no limit of its own, so this wraps
 * the functions that it keeps in the nodes of its syntax tree. An expression that the type check refuses fails
 * before it costs anything.
 */
export function meterExpression(expression: ParseResult): void {
  if (expression.check().valid) meter(expression.ast, 0);
}

function meter(node: unknown, extra: number): void {
  if (!isNode(node)) return;
  if (node.meta.alternate !== undefined) {
    meter(node.meta.alternate, extra);
    return;
  }
  meterEvaluation(node, extra + ownCost(node));
  meterHandle(node);
  for (const { child, cost } of children(node)) meter(child, cost);
}

function meterEvaluation(node: EvaluatedNode, cost: number): void {
  const { macro, evaluate } = node.meta;
  const original: Evaluate = macro
    ? (evaluator, _, context) => macro.evaluate(evaluator, macro, context)
    : evaluate;
  node.evaluate = (evaluator, given, context) => {
    spend(cost);
    return original.call(node, evaluator, given, context);
  };
}

function ownCost({ op, meta }: EvaluatedNode): number {
  if (meta.macro) return 1;
  switch (op) {
    case 'id':
    case '.':
    case '.?':
    case '[]':
    case '[?]':
      return 1;
    case 'list':
    case 'map':
      return literalCosts[op];
    default:
      return 0;
  }
}

const operators = new Set(['==', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '%', 'in']);

function meterHandle(node: EvaluatedNode): void {
  const { handle, op } = node;
  const cost = handle && handleCost(op, node.args);
  if (handle === undefined || cost === undefined) return;
  node.handle = (first, second, third, fourth) => {
    spend(cost(first, second));
    return handle(first, second, third, fourth);
  };
}

function handleCost(op: string, args: unknown): ((first: unknown, second: unknown) => number) | undefined {
  if (operators.has(op)) return (left, right) => valueCost(op, left, right);
  if (op === '!_' || op === '-_') return () => 1;
  if (op !== 'call' && op !== 'rcall') return undefined;
  const name = String(Array.isArray(args) ? args[0] : '');
  return (values) => callCost(name, Array.isArray(values) ? values.map(sizeOf) : []);
}

/**
 * kube-apiserver counts a comparison by the number of items and a concatenation of lists as 1. Here both cost as much
 * as they read, because an evaluation blocks the event loop (ADR 0065).
 */
function valueCost(op: string, left: unknown, right: unknown): number {
  if (typeof left === 'bigint' && typeof right === 'bigint') return 1;
  if (op === '+' && Array.isArray(left)) return sizeOf(left) + sizeOf(right);
  if (op === '==' || op === '!=') return operatorCost(op, deepSize(left), deepSize(right));
  return operatorCost(op, sizeOf(left), sizeOf(right)) + (op === 'in' ? deepSize(left) - 1 : 0);
}

interface Child {
  readonly child: unknown;
  readonly cost: number;
}

function children({ op, args, meta }: EvaluatedNode): readonly Child[] {
  // Without `ast`, which points back to the node of the macro.
  const below = meta.macro ? Object.values({ ...meta.macro, ast: undefined }) : [args];
  if (op !== 'comprehension') return nodesIn(below).map((child) => ({ child, cost: 0 }));
  const { iterable, init, step, kind } = args as { readonly [part: string]: unknown };
  return [
    { child: iterable, cost: 0 },
    { child: init, cost: 0 },
    { child: step, cost: kind === 'quantifier' ? iterationCosts.quantifier : iterationCosts.map },
  ];
}

function nodesIn(value: unknown): readonly EvaluatedNode[] {
  if (isNode(value)) return [value];
  return Array.isArray(value) ? value.flatMap(nodesIn) : [];
}

function isNode(value: unknown): value is EvaluatedNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'meta' in value;
}
