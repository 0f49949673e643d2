import type { Admission } from '@karpenter/core/admission';
import type { FieldProblem } from '@karpenter/core/provisioning';
import { parseAlias } from '../images/index.ts';
import type { EC2NodeClass, EC2NodeClassSpec } from '../node-class/index.ts';
import { restrictedTagsMessage } from '../tags/index.ts';

type SelectorTerm = Readonly<Record<string, unknown>>;

/** Lists of selector terms, what they select, and the fields that select something on their own. */
const selectors = [
  { list: 'subnetSelectorTerms', what: 'subnet', fields: ['id'] },
  { list: 'securityGroupSelectorTerms', what: 'security group', fields: ['id', 'name'] },
  {
    list: 'capacityReservationSelectorTerms',
    what: 'capacity reservation',
    fields: ['id', 'instanceMatchCriteria'],
  },
  { list: 'amiSelectorTerms', what: 'image', fields: ['id', 'name', 'alias', 'ssmParameter'] },
] as const satisfies readonly {
  readonly list: keyof EC2NodeClassSpec;
  readonly what: string;
  readonly fields: readonly string[];
}[];

/** Decides on an EC2NodeClass. The CRD accepts one without a spec, which is admitted. */
export function admitNodeClass({ spec }: { readonly spec?: EC2NodeClass['spec'] | undefined }): Admission {
  if (spec === undefined) return { errors: [], warnings: [] };
  const errors = [...emptyTagProblems(spec), ...aliasProblems(spec), ...tagProblems(spec)];
  return { errors, warnings: [] };
}

/** Go clients drop an empty map of tags. Other clients send it, and a filter without tags would match everything. */
function emptyTagProblems(spec: EC2NodeClassSpec): readonly FieldProblem[] {
  return selectors.flatMap(({ list, what, fields }) => {
    const terms: readonly SelectorTerm[] = spec[list] ?? [];
    return terms.flatMap((term, index) => {
      if (!isEmptyMap(term['tags']) || fields.some((field) => term[field] !== undefined)) return [];
      const reason = `an empty map selects no ${what}; name at least one tag`;
      return [{ field: `spec.${list}[${index}].tags`, value: {}, reason }];
    });
  });
}

function isEmptyMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** The rule of the CRD accepts a second `@`, with which Karpenter's process aborts. */
function aliasProblems({ amiSelectorTerms = [] }: EC2NodeClassSpec): readonly FieldProblem[] {
  return amiSelectorTerms.flatMap(({ alias }, index) => {
    if (alias === undefined || parseAlias(alias) !== undefined) return [];
    const reason = `'alias' is improperly formatted, must match the format 'family@version' with a single '@'`;
    return [{ field: `spec.amiSelectorTerms[${index}].alias`, value: alias, reason }];
  });
}

function tagProblems({ tags = {} }: EC2NodeClassSpec): readonly FieldProblem[] {
  const reason = restrictedTagsMessage(tags);
  return reason === undefined ? [] : [{ field: 'spec.tags', value: Object.keys(tags), reason }];
}
