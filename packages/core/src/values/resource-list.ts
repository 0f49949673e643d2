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

/** Amounts by resource name. A resource that is not listed counts as zero. */
export type ResourceList = Readonly<Record<string, Quantity>>;

/** Amounts as they stand in a Kubernetes object. */
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

/** Reads a map of quantities out of JSON; an absent map is empty. */
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

/** Joins lists resource by resource; what only one list names is taken as it is. */
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
 * The list with one resource more, at its end, or with another amount of it. A literal that begins with a spread would do
 * the same, but V8 as of Node 20 gives each such object a hidden class of its own, and there is one for every pod.
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

/** The largest amount of each resource that any list names. */
export function maxResources(...lists: readonly ResourceList[]): ResourceList {
  return merge(lists, maxQuantity);
}

/**
 * What is left of `list`, possibly negative. Only its own resources: using something that a node does not
 * report (a device plugin that is restarting) leaves no debt, which would keep every pod away.
 */
export function subtractResources(list: ResourceList, used: ResourceList): ResourceList {
  const entries = Object.entries(list).map(([name, quantity]) => [
    name,
    subtractQuantities(quantity, resourceAmount(used, name)),
  ]);
  return Object.fromEntries(entries) as ResourceList;
}

/**
 * Whether the requests can be met. A request of zero needs nothing, not even that the resource exists. Where
 * anything available is negative nothing fits, whatever is asked.
 */
export function fits(requests: ResourceList, available: ResourceList): boolean {
  if (Object.values(available).some((quantity) => quantitySign(quantity) < 0)) return false;
  return Object.entries(requests).every(
    ([name, quantity]) => compareQuantities(quantity, resourceAmount(available, name)) <= 0,
  );
}

/** The same amounts of the same resources, a missing one being zero. */
export function equalResources(a: ResourceList, b: ResourceList): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every(
    (name) => compareQuantities(resourceAmount(a, name), resourceAmount(b, name)) === 0,
  );
}

/** Canonical texts by name, for a Kubernetes object; names in order. */
export function resourceTexts(list: ResourceList): Readonly<Record<string, string>> {
  const names = Object.keys(list).sort();
  return Object.fromEntries(names.map((name) => [name, formatQuantity(resourceAmount(list, name))]));
}

/** One line of sorted JSON, as in log lines and events: `{"cpu":"5","memory":"7680Mi"}`. */
export function formatResourceList(list: ResourceList): string {
  return JSON.stringify(resourceTexts(list));
}
