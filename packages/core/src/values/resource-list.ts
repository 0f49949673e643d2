import { invalidValue } from '../errors/index.ts';
import {
  addQuantities,
  compareQuantities,
  maxQuantity,
  type Quantity,
  quantitySign,
  subtractQuantities,
  zeroQuantity,
} from './quantity.ts';
import { formatQuantity } from './quantity-format.ts';
import { parseQuantity } from './quantity-parse.ts';

/** Amounts by resource name. A missing resource counts as zero. */
export type ResourceList = Readonly<Record<string, Quantity>>;

/** Amounts as written in a Kubernetes object. */
export type QuantityTexts = Readonly<Record<string, string | number>>;

export const noResources: ResourceList = Object.freeze({});

export function resourceAmount(list: ResourceList, name: string): Quantity {
  return (Object.hasOwn(list, name) ? list[name] : undefined) ?? zeroQuantity;
}

function parseAmount(value: unknown, field: string): Quantity {
  if (typeof value === 'string' || typeof value === 'number') return parseQuantity(value, field);
  throw invalidValue({
    code: 'invalid-quantity',
    field,
    value: JSON.stringify(value) ?? 'undefined',
    expected: 'a quantity',
    advice: 'write a number or a text such as 500m or 2Gi',
  });
}

/**
 * Parses a map of quantities from JSON; a missing map is empty. Throws a coded error that names the resource.
 */
export function parseResourceList(json: unknown, field = 'resources'): ResourceList {
  if (json === undefined || json === null) return noResources;
  if (typeof json !== 'object' || Array.isArray(json)) {
    throw invalidValue({
      code: 'invalid-quantity',
      field,
      value: JSON.stringify(json),
      expected: 'a map of quantities',
      advice: 'write resource names with their quantities, such as {"cpu":"500m"}',
    });
  }
  const entries = Object.entries(json).map(([name, value]) => [name, parseAmount(value, `${field}.${name}`)]);
  return Object.fromEntries(entries) as ResourceList;
}

/** Merges lists by resource; a resource in only one list is taken unchanged. */
function merge(lists: readonly ResourceList[], join: (a: Quantity, b: Quantity) => Quantity): ResourceList {
  const merged = new Map<string, Quantity>();
  for (const list of lists) {
    for (const [name, quantity] of Object.entries(list)) {
      const known = merged.get(name);
      merged.set(name, known === undefined ? quantity : join(known, quantity));
    }
  }
  return Object.fromEntries(merged);
}

/**
 * The list with one resource added at its end, or replaced. A literal that starts with a spread would do the
 * same, but V8 as of Node 20 gives each such object its own hidden class, and there is one per pod.
 */
export function withResource<T>(
  list: Readonly<Record<string, T>>,
  name: string,
  amount: T,
): Readonly<Record<string, T>> {
  return Object.assign({}, list, { [name]: amount });
}

export function sumResources(...lists: readonly ResourceList[]): ResourceList {
  return merge(lists, addQuantities);
}

/** The maximum of each resource over all lists. */
export function maxResources(...lists: readonly ResourceList[]): ResourceList {
  return merge(lists, maxQuantity);
}

/**
 * `list` minus `used`, possibly negative, for the resources of `list` only. Usage of a resource that a node
 * does not report (a restarting device plugin) leaves no negative amount, which would keep every pod off.
 */
export function subtractResources(list: ResourceList, used: ResourceList): ResourceList {
  const entries = Object.entries(list).map(([name, quantity]) => [
    name,
    subtractQuantities(quantity, resourceAmount(used, name)),
  ]);
  return Object.fromEntries(entries) as ResourceList;
}

/**
 * Whether the requests fit. A request of zero fits even if the resource is missing. If any available amount
 * is negative, nothing fits, whatever is requested.
 */
export function fits(requests: ResourceList, available: ResourceList): boolean {
  if (Object.values(available).some((quantity) => quantitySign(quantity) < 0)) return false;
  return Object.entries(requests).every(
    ([name, quantity]) => compareQuantities(quantity, resourceAmount(available, name)) <= 0,
  );
}

/** Whether all amounts are equal; a missing resource counts as zero. */
export function equalResources(a: ResourceList, b: ResourceList): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every(
    (name) => compareQuantities(resourceAmount(a, name), resourceAmount(b, name)) === 0,
  );
}

/** Canonical texts for a Kubernetes object, sorted by name. */
export function resourceTexts(list: ResourceList): Readonly<Record<string, string>> {
  const names = Object.keys(list).sort();
  return Object.fromEntries(names.map((name) => [name, formatQuantity(resourceAmount(list, name))]));
}

/** One line of sorted JSON, for logs and events: `{"cpu":"5","memory":"7680Mi"}`. */
export function formatResourceList(list: ResourceList): string {
  return JSON.stringify(resourceTexts(list));
}
