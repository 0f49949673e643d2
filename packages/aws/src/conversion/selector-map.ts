import { isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';

/** Keys of a v1alpha1 selector that are not tags, with the fields of a term that they become. */
type SpecialKeys = Readonly<Record<string, 'id' | 'name' | 'owner'>>;

const ids = { 'aws-ids': 'id', 'aws::ids': 'id' } as const;

export const specialKeys = {
  subnetSelector: ids,
  securityGroupSelector: { ...ids, 'aws::name': 'name' },
  amiSelector: { ...ids, 'aws::name': 'name', 'aws::owners': 'owner' },
} as const satisfies Readonly<Record<string, SpecialKeys>>;

export type SelectorField = keyof typeof specialKeys;

/**
 * Converts a v1alpha1 selector to terms. Entries of a selector are combined with AND, and lists in a value with OR.
 * Terms are combined with OR, so the result is the product of all lists: owners outermost, then ids, names and tags by
 * key.
 */
export function selectorTerms(selector: Json, field: SelectorField): readonly JsonObject[] {
  const entries = isJsonObject(selector) ? Object.entries(selector) : [];
  const special: SpecialKeys = specialKeys[field];
  const listed = (name: string) =>
    entries.filter(([key]) => special[key] === name).flatMap(([, value]) => listOf(value));
  const tags = entries.filter(([key]) => special[key] === undefined).sort(([a], [b]) => (a < b ? -1 : 1));
  return product([
    alternatives('owner', listed('owner')),
    alternatives('id', listed('id')),
    alternatives('name', listed('name')),
    tagSets(tags),
  ]).map(inFieldOrder);
}

function alternatives(name: string, values: readonly string[]): readonly JsonObject[] {
  return values.length === 0 ? [{}] : values.map((value) => ({ [name]: value }));
}

function tagSets(tags: readonly (readonly [string, Json])[]): readonly JsonObject[] {
  if (tags.length === 0) return [{}];
  return product(tags.map(([key, value]) => alternatives(key, listOf(value)))).map((set) => ({ tags: set }));
}

/** The Cartesian product of the lists, the first list outermost. */
function product(lists: readonly (readonly JsonObject[])[]): readonly JsonObject[] {
  return lists.reduce<readonly JsonObject[]>(
    (all, parts) => all.flatMap((each) => parts.map((part) => ({ ...each, ...part }))),
    [{}],
  );
}

function listOf(value: Json): readonly string[] {
  const parts = String(value ?? '')
    .split(',')
    .map((part) => part.trim());
  return parts.filter((part) => part !== '' || parts.length === 1);
}

const fieldOrder = ['id', 'name', 'owner', 'tags'];

function inFieldOrder(term: JsonObject): JsonObject {
  const fields = fieldOrder.filter((field) => Object.hasOwn(term, field));
  return Object.fromEntries(fields.map((field) => [field, term[field] ?? '']));
}

interface TermSource {
  /** The key of the selector. */
  readonly source: string;
  readonly place: readonly string[];
}

/** Which keys of a selector the fields of a term come from. */
export function termSources(selector: Json, field: SelectorField, term: JsonObject): readonly TermSource[] {
  const special: SpecialKeys = specialKeys[field];
  const keys = isJsonObject(selector) ? Object.keys(selector) : [];
  return keys.flatMap((source) => {
    const name = special[source];
    if (name === undefined) return [{ source, place: ['tags', source] }];
    return Object.hasOwn(term, name) ? [{ source, place: [name] }] : [];
  });
}
