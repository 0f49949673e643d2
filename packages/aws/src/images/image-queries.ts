import type { DescribeImagesCommandInput } from '@aws-sdk/client-ec2';
import type { AmiSelectorTerm } from '../node-class/index.ts';
import { tagFilters, valueFilter } from '../resolution/index.ts';

const usualOwners = ['self', 'amazon'];

/** One question for all ids, and one for each other term. */
export function imageQueries(
  terms: readonly AmiSelectorTerm[],
  idsFromParameters: readonly string[],
): readonly DescribeImagesCommandInput[] {
  const ids = [...terms.flatMap(({ id }) => id ?? []), ...idsFromParameters];
  const byId = valueFilter('image-id', [...new Set(ids)]).map((filters) => ({ Filters: filters }));
  const others = terms.filter(
    ({ id, alias, name, tags }) =>
      id === undefined && alias === undefined && (name !== undefined || tags !== undefined),
  );
  return [...byId, ...others.map(termQuery)].map(complete);
}

function termQuery({ name, tags = {}, owner }: AmiSelectorTerm): DescribeImagesCommandInput {
  const named = name === undefined ? [] : [{ Name: 'name', Values: [name] }];
  // By name alone anybody's image could be meant; tags are only ever one's own.
  const owners = owner === undefined ? (name === undefined ? undefined : usualOwners) : [owner];
  return {
    Filters: [...named, ...tagFilters(tags)],
    ...(owners !== undefined && { Owners: [...owners] }),
  };
}

function complete(query: DescribeImagesCommandInput): DescribeImagesCommandInput {
  return {
    ...query,
    Filters: [...(query.Filters ?? []), { Name: 'state', Values: ['available'] }],
    IncludeDeprecated: true,
    MaxResults: 1000,
  };
}
