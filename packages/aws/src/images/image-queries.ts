import type { DescribeImagesCommandInput } from '@aws-sdk/client-ec2';
import type { AmiSelectorTerm } from '../node-class/index.ts';
import { tagFilters, valueFilter } from '../resolution/index.ts';

/** Owners to search for a term with a name and no owner. */
const defaultOwners = ['self', 'amazon'];

/** Builds one DescribeImages request for all ids, and one for each other term. */
export function imageQueries(
  terms: readonly AmiSelectorTerm[],
  idsFromParameters: readonly string[],
): readonly DescribeImagesCommandInput[] {
  const ids = [...terms.flatMap(({ id }) => id ?? []), ...idsFromParameters];
  const byId = valueFilter('image-id', [...new Set(ids)]).map((filters) => ({ Filters: filters }));
  // An empty map of tags counts as absent: without a filter EC2 would list every public image.
  const others = terms.filter(
    ({ id, alias, name, tags = {} }) =>
      id === undefined && alias === undefined && (name !== undefined || Object.keys(tags).length > 0),
  );
  return [...byId, ...others.map(termQuery)].map(complete);
}

function termQuery({ name, tags = {}, owner }: AmiSelectorTerm): DescribeImagesCommandInput {
  const named = name === undefined ? [] : [{ Name: 'name', Values: [name] }];
  // Anyone can publish an AMI of any name, so a name needs
  // trusted owners. Tags are visible to their owner only.
  const owners = owner === undefined ? (name === undefined ? undefined : defaultOwners) : [owner];
  return {
    Filters: [...named, ...tagFilters(tags)],
    ...(owners !== undefined && { Owners: [...owners] }),
  };
}

function complete(query: DescribeImagesCommandInput): DescribeImagesCommandInput {
  return {
    ...query,
    Filters: [...(query.Filters ?? []), { Name: 'state', Values: ['available'] }],
    // Deprecated AMIs still launch; `chooseImages` prefers others.
    IncludeDeprecated: true,
    MaxResults: 1000,
  };
}
