import type { Filter } from '@aws-sdk/client-ec2';

/** EC2 filters for resources that have all of the tags; the value `*` matches any value. */
export function tagFilters(tags: Readonly<Record<string, string>>): Filter[] {
  return Object.entries(tags).map(([key, value]) =>
    value === '*' ? { Name: 'tag-key', Values: [key] } : { Name: `tag:${key}`, Values: [value] },
  );
}

/** Filters for any of the values. Empty without values, because such a filter would match nothing. */
export function valueFilter(name: string, values: readonly string[]): readonly Filter[][] {
  return values.length === 0 ? [] : [[{ Name: name, Values: [...values] }]];
}
