import type { Filter } from '@aws-sdk/client-ec2';

/** All of these must hold; the value `*` stands for any. */
export function tagFilters(tags: Readonly<Record<string, string>>): Filter[] {
  return Object.entries(tags).map(([key, value]) =>
    value === '*' ? { Name: 'tag-key', Values: [key] } : { Name: `tag:${key}`, Values: [value] },
  );
}

/** A filter for some values; none where there are no values, which would match nothing. */
export function valueFilter(name: string, values: readonly string[]): readonly Filter[][] {
  return values.length === 0 ? [] : [[{ Name: name, Values: [...values] }]];
}
