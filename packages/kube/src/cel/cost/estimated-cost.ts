import type { JsonSchema } from '@karpenter/core/schema';
import type { ASTNode } from '@marcbachmann/cel-js';
import { escapedName } from '../field-names.ts';
import {
  estimatedCallCost,
  iterationCosts,
  literalCosts,
  operatorCost,
  plainName,
  readCost,
} from './call-cost.ts';
import { largestSize, largestText } from './schema-size.ts';

/** What is known of a value before evaluation. */
interface Estimated {
  readonly schema: JsonSchema | undefined;
  /** Largest size: characters, items or entries. */
  readonly size: number;
  /** Highest cost of computing it. */
  readonly cost: number;
}

type Scope = ReadonlyMap<string, Estimated>;

const scalar = { schema: undefined, size: 1 };
const unknown = { schema: undefined, size: largestText };

/** The highest cost of one evaluation of a rule on a value of this schema. */
export function estimatedCost(expression: ASTNode, schema: JsonSchema): number {
  const self = { schema, size: largestSize(schema), cost: 1 };
  return estimate(
    expression,
    new Map([
      ['self', self],
      ['oldSelf', self],
    ]),
  ).cost;
}

function estimate(node: ASTNode, scope: Scope): Estimated {
  switch (node.op) {
    case 'value':
      return { ...scalar, size: literalSize(node.args), cost: 0 };
    case 'id':
      return { ...(scope.get(node.args) ?? unknown), cost: 1 };
    case '.':
    case '.?':
      return fieldOf(estimate(node.args[0], scope), node.args[1]);
    case '[]':
    case '[?]':
      return itemOf(estimate(node.args[0], scope), estimate(node.args[1], scope));
    case '?:':
      return either(node.args.map((each) => estimate(each, scope)));
    case '&&':
    case '||':
      return { ...scalar, cost: costs(node.args.map((each) => estimate(each, scope))) };
    case '!_':
    case '-_':
      return { ...scalar, cost: estimate(node.args, scope).cost + 1 };
    case 'list':
      return literal(
        node.args.map((each) => estimate(each, scope)),
        literalCosts.list,
      );
    case 'map':
      return literal(
        node.args.flat().map((each) => estimate(each, scope)),
        literalCosts.map,
      );
    case 'call':
      return calledFunction(
        node.args[0],
        node.args[1].map((each) => estimate(each, scope)),
      );
    case 'rcall':
      return calledMethod(node.args, scope);
    default:
      return operated(node.op, estimate(node.args[0], scope), estimate(node.args[1], scope));
  }
}

function literalSize(value: unknown): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 1;
}

const costs = (parts: readonly Estimated[]): number => parts.reduce((sum, { cost }) => sum + cost, 0);

function fieldOf({ schema, cost }: Estimated, name: string): Estimated {
  const field = Object.entries(schema?.properties ?? {}).find(([each]) => escapedName(each) === name)?.[1];
  return { ...describedBy(field ?? entrySchema(schema)), cost: cost + 1 };
}

function itemOf({ schema, cost }: Estimated, key: Estimated): Estimated {
  return { ...describedBy(schema?.items ?? entrySchema(schema)), cost: cost + key.cost + 1 };
}

function entrySchema(schema: JsonSchema | undefined): JsonSchema | undefined {
  return typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

function describedBy(schema: JsonSchema | undefined): Pick<Estimated, 'schema' | 'size'> {
  return schema === undefined ? unknown : { schema, size: largestSize(schema) };
}

function either([condition, ...branches]: readonly Estimated[]): Estimated {
  const largest = branches.reduce(
    (a, b) => (b.size > a.size ? b : a),
    branches[0] ?? { ...unknown, cost: 0 },
  );
  const highest = Math.max(0, ...branches.map(({ cost }) => cost));
  return { ...largest, cost: (condition?.cost ?? 0) + highest };
}

function literal(items: readonly Estimated[], base: number): Estimated {
  const [first] = items;
  const schema: JsonSchema = { type: 'array', items: first?.schema ?? {} };
  return { schema, size: items.length, cost: base + costs(items) };
}

function operated(operator: string, a: Estimated, b: Estimated): Estimated {
  // A lookup in a map is constant; a list is scanned.
  const searched = operator === 'in' && entrySchema(b.schema) !== undefined ? 1 : b.size;
  const cost = a.cost + b.cost + comparedCost(operator, a.size, searched);
  return operator === '+' ? { schema: a.schema, size: a.size + b.size, cost } : { ...scalar, cost };
}

/** kube-apiserver estimates the equality of two scalars at 0. */
function comparedCost(operator: string, a: number, b: number): number {
  if (operator !== '==' && operator !== '!=') return operatorCost(operator, a, b);
  const size = Math.min(a, b);
  return size <= 1 ? 0 : readCost(size);
}

const scalarResults = new Set([
  'bool',
  'double',
  'int',
  'size',
  'uint',
  'timestamp',
  'duration',
  'type',
  'quantity',
]);

function calledFunction(name: string, values: readonly Estimated[]): Estimated {
  // `string()` of a string returns it unchanged.
  const [value] = values;
  if (name === 'string' && value?.schema?.type === 'string') return { ...value, cost: value.cost + 1 };
  const cost =
    costs(values) +
    estimatedCallCost(
      name,
      values.map(({ size }) => size),
    );
  if (name === 'has') return { ...scalar, cost };
  const size = scalarResults.has(name) ? 1 : (value?.size ?? largestText);
  return { schema: undefined, size, cost };
}

type MethodCall = readonly [name: string, receiver: ASTNode, args: readonly ASTNode[]];

const loops = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

function calledMethod([name, receiver, args]: MethodCall, scope: Scope): Estimated {
  if (name === 'bind' && receiver.op === 'id' && receiver.args === 'cel') return bound(args, scope);
  const range = estimate(receiver, scope);
  if (loops.has(name)) return loop(name, range, args, scope);
  const values = args.map((each) => estimate(each, scope));
  const sizes = [range, ...values].map(({ size }) => size);
  return { ...resultOf(name, range), cost: range.cost + costs(values) + estimatedCallCost(name, sizes) };
}

const textResults = new Set([
  'charAt',
  'find',
  'join',
  'lowerAscii',
  'replace',
  'substring',
  'trim',
  'upperAscii',
]);

/** The result of a method is no larger than its receiver. */
function resultOf(name: string, { schema, size }: Estimated): Pick<Estimated, 'schema' | 'size'> {
  const plain = plainName(name);
  if (plain === 'split' || plain === 'findAll')
    return { schema: { type: 'array', items: { type: 'string' } }, size };
  if (textResults.has(plain)) return { schema: undefined, size };
  return plain === 'orValue' || plain === 'value' || plain === 'or' ? { schema, size } : scalar;
}

function bound([name, value, body]: readonly ASTNode[], scope: Scope): Estimated {
  if (name?.op !== 'id' || value === undefined || body === undefined) return { ...unknown, cost: 1 };
  const given = estimate(value, scope);
  const result = estimate(body, new Map([...scope, [name.args, given]]));
  return { ...result, cost: result.cost + given.cost };
}

function loop(
  name: string,
  range: Estimated,
  [variable, ...bodies]: readonly ASTNode[],
  scope: Scope,
): Estimated {
  const item = { ...elementOf(range), cost: 1 };
  const inner = new Map([...scope, [variable?.op === 'id' ? variable.args : '', item]]);
  const steps = bodies.map((each) => estimate(each, inner));
  const iteration = name === 'map' || name === 'filter' ? iterationCosts[name] : iterationCosts.quantifier;
  const cost = range.cost + range.size * (costs(steps) + iteration);
  if (name === 'filter') return { ...range, cost };
  if (name !== 'map') return { ...scalar, cost };
  const schema: JsonSchema = { type: 'array', items: steps.at(-1)?.schema ?? {} };
  return { schema, size: range.size, cost };
}

/** The items of a list; of a map its keys, whose length kube-apiserver does not count. */
function elementOf({ schema }: Estimated): Pick<Estimated, 'schema' | 'size'> {
  if (schema?.items !== undefined) return describedBy(schema.items);
  return entrySchema(schema) === undefined ? unknown : { schema: undefined, size: 0 };
}
