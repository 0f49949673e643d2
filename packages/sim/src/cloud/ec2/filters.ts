import { invalidParameterValue } from '../calls/refusal.ts';
import type { Tags } from '../world/tags.ts';
import { matchesPattern } from '../world/wildcard.ts';

interface DescribeFilter {
  readonly Name?: string | undefined;
  readonly Values?: readonly string[] | undefined;
}

/** The value that each filter name compares. An item without a value matches no pattern. */
export type FilterFields<Item> = Readonly<
  Record<string, (item: Item) => string | readonly string[] | undefined>
>;

/**
 * Applies filters as EC2 does: filters are ANDed, the values of one filter are ORed. Throws
 * InvalidParameterValue for an unknown filter name.
 */
export function matching<Item extends object>(
  items: Iterable<Item>,
  filters: readonly DescribeFilter[] | undefined,
  fields: FilterFields<Item>,
): Item[] {
  const tests = (filters ?? []).map((filter) => testOf(filter, fields));
  return [...items].filter((item) => tests.every((test) => test(item)));
}

function testOf<Item extends object>(
  { Name = '', Values = [] }: DescribeFilter,
  fields: FilterFields<Item>,
): (item: Item) => boolean {
  const read = readerOf(Name, fields);
  return (item) => {
    const found = read(item) ?? [];
    const texts = typeof found === 'string' ? [found] : found;
    return texts.some((text) => Values.some((pattern) => matchesPattern(pattern, text)));
  };
}

function readerOf<Item extends object>(
  name: string,
  fields: FilterFields<Item>,
): (item: Item) => string | readonly string[] | undefined {
  const field = fields[name];
  if (field !== undefined) return field;
  if (name === 'tag-key') return (item) => [...(tagsOfItem(item)?.keys() ?? [])];
  if (name.startsWith('tag:')) return (item) => tagsOfItem(item)?.get(name.slice('tag:'.length));
  throw invalidParameterValue(`The filter '${name}' is invalid`);
}

function tagsOfItem(item: object): Tags | undefined {
  return 'tags' in item && item.tags instanceof Map ? item.tags : undefined;
}
