import { isJsonArray, isJsonObject, type Json } from '@karpenter/core/schema';

/** How many values a search may still visit. All columns of a row share one. */
export interface SearchBudget {
  visitsLeft: number;
}

/** The first value that a JSONPath finds in an object. Columns and comparisons use no other. */
export type JsonPath = (root: Json, budget: SearchBudget) => Json | undefined;
type Step = (value: Json, budget: SearchBudget) => Iterable<Json>;

/** Parsing a longer path would block the event loop (ADR 0066). */
const maxPathLength = 10_000;

/**
 * Parses the JSONPath of printer columns: `.spec.a`, `.metadata.labels['a\.b/c']`, `.items[0]`, `[-1]`,
 * `[*]`, `..name`, `.conditions[?(@.type=="Ready")].status`. Throws a SyntaxError for anything else.
 *
 * A search ends without a value when the budget is used up, because each `..` multiplies the values to visit.
 */
export function parseJsonPath(text: string): JsonPath {
  if (text.length > maxPathLength)
    throw new SyntaxError(`a JSONPath has ${text.length} characters, at most ${maxPathLength} are read`);
  const steps: Step[] = [];
  let rest = text.replace(/^\{(.*)\}$/s, '$1').replace(/^\$/, '');
  while (rest !== '') {
    const [step, length] = readStep(rest, text);
    steps.push(step);
    rest = rest.slice(length);
  }
  return (root, budget) => {
    const [first] = valuesAt(root, { steps, budget });
    return first;
  };
}

interface Search {
  readonly steps: readonly Step[];
  readonly budget: SearchBudget;
}

function* valuesAt(value: Json, search: Search, index = 0): Generator<Json> {
  const { steps, budget } = search;
  const step = steps[index];
  if (step === undefined) yield value;
  else
    for (const next of step(value, budget)) {
      budget.visitsLeft -= 1;
      if (budget.visitsLeft < 0) return;
      yield* valuesAt(next, search, index + 1);
    }
}

const namePattern = /^\.((?:\\.|[^.[\]\\\s])+)/;
const quotedPattern = /^\[(['"])((?:\\.|(?!\1)[^\\])*)\1\]/;
const indexPattern = /^\[(-?\d+)\]/;
const slicePattern = /^\[(-?\d*):(-?\d*)\]/;
const filterPattern = /^\[\?\((.+?)\)\]/;

const stepPatterns: readonly (readonly [RegExp, (found: RegExpExecArray, whole: string) => Step])[] = [
  [/^\.\.(?=\w)/, () => descendants],
  [/^(?:\.\*|\[\*\])/, () => everyItem],
  [namePattern, ([, name = '']) => memberStep(unescaped(name))],
  [/^\w[\w-]*/, ([name]) => memberStep(name)],
  [quotedPattern, ([, , name = '']) => memberStep(unescaped(name))],
  [indexPattern, ([, index = '']) => indexStep(Number(index))],
  [slicePattern, ([, from = '', to = '']) => sliceStep(from, to)],
  [filterPattern, ([, condition = ''], whole) => filterStep(condition, whole)],
  [/^\.(?=\[|$)/, () => (value) => [value]],
];

function readStep(rest: string, whole: string): readonly [Step, number] {
  for (const [pattern, make] of stepPatterns) {
    const found = pattern.exec(rest);
    if (found) return [make(found, whole), found[0].length];
  }
  throw new SyntaxError(`cannot read the JSONPath ${JSON.stringify(whole)} at ${JSON.stringify(rest)}`);
}

const unescaped = (text: string) => text.replace(/\\(.)/g, '$1');

const memberStep =
  (name: string): Step =>
  (value) =>
    isJsonObject(value) && Object.hasOwn(value, name) ? [value[name] ?? null] : [];

function everyItem(value: Json): readonly Json[] {
  if (isJsonArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}

function* descendants(value: Json): Generator<Json> {
  yield value;
  for (const item of everyItem(value)) yield* descendants(item);
}

const indexStep =
  (index: number): Step =>
  (value) => {
    const item = isJsonArray(value) ? value.at(index) : undefined;
    return item === undefined ? [] : [item];
  };

const sliceStep =
  (from: string, to: string): Step =>
  (value) =>
    isJsonArray(value) ? value.slice(from === '' ? 0 : Number(from), to === '' ? undefined : Number(to)) : [];

type Operand = JsonPath;

function readOperand(text: string, whole: string): Operand {
  const trimmed = text.trim();
  const quoted = /^(['"])(.*)\1$/s.exec(trimmed);
  if (quoted) return () => quoted[2] ?? '';
  if (trimmed.startsWith('@')) return parseJsonPath(trimmed.slice(1));
  if (/^(?:true|false|null|-?\d+(?:\.\d+)?)$/.test(trimmed)) return () => JSON.parse(trimmed);
  throw new SyntaxError(`cannot read ${JSON.stringify(trimmed)} in the JSONPath ${JSON.stringify(whole)}`);
}

const comparisons: Readonly<Record<string, (a: Json, b: Json) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<=': (a, b) => order(a, b) <= 0,
  '>=': (a, b) => order(a, b) >= 0,
  '<': (a, b) => order(a, b) < 0,
  '>': (a, b) => order(a, b) > 0,
};

/** NaN if the two cannot be ordered, so that no comparison holds. */
function order(a: Json, b: Json): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a !== 'string' || typeof b !== 'string') return Number.NaN;
  return a < b ? -1 : Number(a > b);
}

function filterStep(condition: string, whole: string): Step {
  const found = /(?<=.)(?:==|!=|<=|>=|<|>)(?=.)/s.exec(condition);
  const [operator, index] = [found?.[0] ?? '', found?.index ?? 0];
  const compare = comparisons[operator];
  const first = readOperand(compare ? condition.slice(0, index) : condition, whole);
  if (!compare) return filtered((item, budget) => first(item, budget) !== undefined);
  const second = readOperand(condition.slice(index + operator.length), whole);
  return filtered((item, budget) => {
    const [a, b] = [first(item, budget), second(item, budget)];
    return a !== undefined && b !== undefined && compare(a, b);
  });
}

const filtered =
  (holds: (item: Json, budget: SearchBudget) => boolean): Step =>
  (value, budget) =>
    everyItem(value).filter((item) => holds(item, budget));
