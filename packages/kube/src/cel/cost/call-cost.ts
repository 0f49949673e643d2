/**
 * Costs of functions and operators in the units of kube-apiserver: a step of an expression is 1, reading ten
 * characters is 1. Arguments are sizes: characters of a string, items of a list, entries of a map.
 */
const traversal = 0.1;
const expressionLength = 0.25;

export function readCost(size: number): number {
  return Math.ceil(size * traversal);
}

/** Reading one text for every position of another. */
function searchCost(text: number, part: number): number {
  return readCost(text) * Math.max(1, readCost(part));
}

function matchCost(text: number, expression: number): number {
  return readCost(text + 1) * Math.max(1, Math.ceil(expression * expressionLength));
}

type Cost = (receiver: number, first: number, second: number) => number;

const byText: Cost = (receiver) => Math.max(1, readCost(receiver));
const bySize: Cost = (receiver) => Math.max(1, receiver);

const functions: ReadonlyMap<string, Cost> = new Map<string, Cost>([
  ['matches', matchCost],
  ['find', matchCost],
  ['findAll', matchCost],
  ['contains', searchCost],
  ['indexOf', searchCost],
  ['lastIndexOf', searchCost],
  ['startsWith', (_, prefix) => Math.max(1, readCost(prefix))],
  ['endsWith', (_, suffix) => Math.max(1, readCost(suffix))],
  ['replace', (text, part, replacement) => searchCost(text, Math.max(part, replacement))],
  ['split', searchCost],
  ...['charAt', 'lowerAscii', 'substring', 'trim', 'upperAscii'].map((name) => [name, byText] as const),
  ...['quantity', 'isQuantity', 'semver', 'isSemver', 'string', 'bytes'].map(
    (name) => [name, byText] as const,
  ),
  ...['timestamp', 'duration', 'double', 'int', 'uint'].map((name) => [name, byText] as const),
  ...['isSorted', 'join', 'max', 'min', 'sum'].map((name) => [name, bySize] as const),
]);

/**
 * Functions that kube-apiserver estimates at less than `functions`. At run time a search costs the text times the part,
 * because that is the worst case of the search in JavaScript.
 */
const estimates: ReadonlyMap<string, Cost> = new Map<string, Cost>([
  ['indexOf', byText],
  ['lastIndexOf', byText],
  ['replace', (text) => 2 * readCost(text)],
  ['split', (text) => 2 * readCost(text)],
  ...['charAt', 'lowerAscii', 'substring', 'trim', 'upperAscii'].map((name) => [name, readCost] as const),
  ...['timestamp', 'duration', 'double', 'int', 'uint'].map((name) => [name, () => 1] as const),
]);

/** Cost of calling a function, by the sizes of its receiver and its arguments. */
export function callCost(name: string, sizes: readonly number[]): number {
  const [receiver = 0, first = 0, second = 0] = sizes;
  return functions.get(plainName(name))?.(receiver, first, second) ?? 1;
}

/** Estimated cost of a call, as kube-apiserver computes it when a CustomResourceDefinition is written. */
export function estimatedCallCost(name: string, sizes: readonly number[]): number {
  const [receiver = 0, first = 0, second = 0] = sizes;
  return estimates.get(plainName(name))?.(receiver, first, second) ?? callCost(name, sizes);
}

/** The CEL name of a function that `readRule` renamed. */
export function plainName(name: string): string {
  return name.startsWith('k8s_') ? name.slice(4) : name;
}

const comparisons = new Set(['==', '!=', '<', '<=', '>', '>=']);

/** Cost of a binary operator. Numbers have the size 1. */
export function operatorCost(operator: string, a: number, b: number): number {
  if (comparisons.has(operator)) return Math.max(1, readCost(Math.min(a, b)));
  if (operator === 'in') return Math.max(1, b);
  return operator === '+' ? Math.max(1, readCost(a + b)) : 1;
}

export const literalCosts = { list: 10, map: 30 } as const;
/** Cost of one iteration without its expression, for `all` and `exists` and for the macros that build a list. */
export const iterationCosts = { quantifier: 3, map: 12, filter: 13 } as const;
