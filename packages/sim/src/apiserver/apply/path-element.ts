import { isJsonObject, type Json } from '@karpenter/core/schema';
import { type FieldSet, leaf, self } from './field-set.ts';

// Path elements are the keys in fieldsV1: `f:` and a field name, `k:` and the keys of a list item, `v:` and
// an item of a set, `i:` and an index.

const htmlEscapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};
const escapable = /[<>&\u2028\u2029]/;

/** JSON with Go's HTML escapes, as kube-apiserver writes it in path elements. */
export function elementJson(value: Json): string {
  const text = JSON.stringify(value);
  return escapable.test(text)
    ? text.replace(/[<>&\u2028\u2029]/g, (character) => htmlEscapes[character] ?? character)
    : text;
}

/** The element in the notation of error messages: `.spec`, `[name="web"]`, `[="a"]`. */
export function elementText(element: string): string {
  const content = element.slice(2);
  if (element.startsWith('f:')) return `.${content}`;
  if (element.startsWith('v:')) return `[=${content}]`;
  if (element.startsWith('i:')) return `[${content}]`;
  const keys = keyMembers(content).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `[${keys.join(',')}]`;
}

export function pathText(path: readonly string[]): string {
  return path.map(elementText).join('');
}

function keyMembers(content: string): [string, Json][] {
  const key: Json = JSON.parse(content);
  return isJsonObject(key) ? Object.entries(key) : [];
}

const ranks: Readonly<Record<string, number>> = { [self]: 0, f: 1, k: 2, v: 3, i: 4 };

/** What the order of an element depends on. */
interface ParsedElement {
  readonly rank: number;
  readonly element: string;
  readonly keys: readonly [string, Json][];
  readonly value: Json;
}

function parseElement(element: string): ParsedElement {
  const kind = element === self ? self : element.charAt(0);
  const content = element.slice(2);
  return {
    rank: ranks[kind] ?? 5,
    element,
    keys: kind === 'k' ? keyMembers(content) : [],
    value: kind === 'v' || kind === 'i' ? JSON.parse(content) : null,
  };
}

/** The order of elements in a fieldsV1 node: `.` first, fields by name, then keys and values by value. */
export function compareElements(a: string, b: string): number {
  return compareParsed(parseElement(a), parseElement(b));
}

function compareParsed(a: ParsedElement, b: ParsedElement): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.rank === ranks['f']) return compareTexts(a.element, b.element);
  return compareKeys(a.keys, b.keys) || compareScalars(a.value, b.value);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function isField(element: string): boolean {
  return element.charCodeAt(0) === 0x66;
}

function compareKeys(a: readonly [string, Json][], b: readonly [string, Json][]): number {
  for (const [index, [name, value]] of a.entries()) {
    const [otherName, otherValue] = b[index] ?? [];
    if (otherName === undefined || otherValue === undefined) return 1;
    if (name !== otherName) return name < otherName ? -1 : 1;
    const order = compareScalars(value, otherValue);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

const scalarRank: Readonly<Record<string, number>> = { number: 0, string: 1, boolean: 2 };

function compareScalars(a: Json, b: Json): number {
  if (typeof a !== typeof b) return (scalarRank[typeof a] ?? 3) - (scalarRank[typeof b] ?? 3);
  if (a === b || a === null || b === null) return 0;
  return a < b ? -1 : 1;
}

const knownOrdered = new WeakSet<FieldSet>();

/**
 * The set with every node in the order of fieldsV1, or the set itself when it already is. Sets known to be
 * ordered are remembered, because managers keep their fields from write to write.
 */
export function inElementOrder(set: FieldSet): FieldSet {
  if (knownOrdered.has(set)) return set;
  const ordered = sorted(set);
  knownOrdered.add(ordered);
  return ordered;
}

function sorted(set: FieldSet): FieldSet {
  const elements = Object.keys(set);
  const isOrdered = sortElements(elements);
  let result: Record<string, FieldSet> | undefined = isOrdered ? undefined : {};
  for (const element of elements) {
    const below = set[element] ?? leaf;
    const ordered = below === leaf ? below : sorted(below);
    if (result === undefined && ordered !== below) result = { ...set };
    if (result !== undefined) result[element] = ordered;
  }
  return result ?? set;
}

/** Sorts in place and returns whether the elements were in order already, as they mostly are. */
function sortElements(elements: string[]): boolean {
  const compare = elementOrder();
  const isOrdered = elements.every(
    (element, index) => index === 0 || compare(elements[index - 1] ?? '', element) <= 0,
  );
  if (!isOrdered) elements.sort(compare);
  return isOrdered;
}

/** Compares elements; parses each once. */
function elementOrder(): (a: string, b: string) => number {
  const known = new Map<string, ParsedElement>();
  const parsed = (element: string) => {
    const found = known.get(element) ?? parseElement(element);
    known.set(element, found);
    return found;
  };
  return (a, b) => (isField(a) && isField(b) ? compareTexts(a, b) : compareParsed(parsed(a), parsed(b)));
}
