import {
  array,
  enumeration,
  type Infer,
  map,
  object,
  string,
  stringItem,
  type ValidationRule,
} from '@karpenter/core/schema';

const tags = map('Tags that the resource must all have; the value `*` stands for any value.', stringItem(), {
  maxProperties: 20,
  rules: [
    {
      rule: `self.all(key, key != '' && self[key] != '')`,
      message: `empty tag keys or values aren't supported`,
    },
  ],
});

/** Requires at least one of the fields in every term. */
function namesOneOf(fields: readonly string[]): ValidationRule {
  return {
    rule: `self.all(term, ${fields.map((field) => `has(term.${field})`).join(' || ')})`,
    message: `expected at least one, got none, [${fields.map((field) => `'${field}'`).join(', ')}]`,
  };
}

/**
 * Fails only if every term mixes the field with others: one valid term hides the rest, and an empty list
 * fails. Karpenter's CRD has this rule, and objects that rely on it exist.
 */
function notInEveryTermWith(field: string, others: readonly string[], message: string): ValidationRule {
  return { rule: `!self.all(term, ${mixes(field, others)})`, message };
}

/** Fails if any term mixes the field with others. */
function notInAnyTermWith(field: string, others: readonly string[], message: string): ValidationRule {
  return { rule: `!self.exists(term, ${mixes(field, others)})`, message };
}

function mixes(field: string, others: readonly string[]): string {
  return `has(term.${field}) && (${others.map((other) => `has(term.${other})`).join(' || ')})`;
}

function notEmpty(list: string): ValidationRule {
  return { rule: 'self.size() > 0', message: `${list} cannot be empty` };
}

const exclusive = (field: string, place: string) =>
  `'${field}' is mutually exclusive, cannot be set with a combination of other fields in ${place}`;

const subnetTerm = object('Subnets by tags or by id.', {
  tags,
  // Not anchored, as in Karpenter's CRD, so that stored objects stay valid.
  id: string('The id of a subnet.', { pattern: 'subnet-[0-9a-z]+' }),
});

export const subnetSelectorTerms = array(
  'Which subnets instances may be launched in. A subnet that meets one of the terms is used.',
  subnetTerm,
  {
    maxItems: 30,
    rules: [
      notEmpty('subnetSelectorTerms'),
      namesOneOf(['tags', 'id']),
      notInEveryTermWith('id', ['tags'], exclusive('id', 'a subnet selector term')),
    ],
  },
);

const securityGroupTerm = object('Security groups by tags, id or name.', {
  tags,
  // Not anchored either.
  id: string('The id of a security group.', { pattern: 'sg-[0-9a-z]+' }),
  name: string('The name of a security group (its `GroupName`, not its `Name` tag).'),
});

export const securityGroupSelectorTerms = array(
  'Which security groups instances get: all that meet one of the terms.',
  securityGroupTerm,
  {
    maxItems: 30,
    rules: [
      notEmpty('securityGroupSelectorTerms'),
      namesOneOf(['tags', 'id', 'name']),
      notInEveryTermWith('id', ['tags', 'name'], exclusive('id', 'a security group selector term')),
      notInEveryTermWith('name', ['tags', 'id'], exclusive('name', 'a security group selector term')),
    ],
  },
);

const capacityReservationTerm = object('Capacity reservations by tags, id or kind.', {
  tags,
  id: string('The id of a capacity reservation.', { pattern: '^cr-[0-9a-z]+$' }),
  ownerID: string('The account that owns the reservation, when it is shared with this one.', {
    pattern: '^[0-9]{12}$',
  }),
  instanceMatchCriteria: enumeration(
    'Whether the reservation takes any matching instance (`open`) or only those that name it (`targeted`).',
    ['open', 'targeted'],
  ),
});

export const capacityReservationSelectorTerms = array(
  'Which capacity reservations may be used before on-demand and spot capacity.',
  capacityReservationTerm,
  {
    maxItems: 30,
    rules: [
      namesOneOf(['tags', 'id', 'instanceMatchCriteria']),
      notInEveryTermWith(
        'id',
        ['tags', 'ownerID', 'instanceMatchCriteria'],
        `'id' is mutually exclusive, cannot be set along with other fields in a capacity reservation selector term`,
      ),
    ],
  },
);

export const placementGroupSelector = object(
  'The placement group that instances are launched in, by name or id.',
  {
    name: string('The name of the placement group.', { minLength: 1 }),
    id: string('The id of the placement group.', { pattern: '^pg-[0-9a-z]+$' }),
  },
  {
    rules: [
      { rule: 'has(self.name) || has(self.id)', message: `expected at least one, got none, ['name', 'id']` },
      { rule: '!(has(self.name) && has(self.id))', message: `'name' and 'id' are mutually exclusive` },
    ],
  },
);

/** Families in aliases, with their names in `spec.amiFamily`. */
export const aliasFamilies = {
  al2: 'AL2',
  al2023: 'AL2023',
  bottlerocket: 'Bottlerocket',
  windows2019: 'Windows2019',
  windows2022: 'Windows2022',
  windows2025: 'Windows2025',
} as const;

const quotedFamilies = Object.keys(aliasFamilies).map((family) => `'${family}'`);
const quotedWindows = quotedFamilies.filter((family) => family.startsWith(`'windows`));

const alias = string(
  'The image that EKS recommends, as `family@version`, such as `al2023@latest` or `bottlerocket@v1.20.3`. Families: `al2`, `al2023`, `bottlerocket`, `windows2019`, `windows2022`, `windows2025`; Windows knows only `latest`. Pin a version in production: with `latest`, nodes are replaced when a new image appears.',
  {
    maxLength: 30,
    rules: [
      {
        rule: `self.matches('^[a-zA-Z0-9]+@.+$')`,
        message: `'alias' is improperly formatted, must match the format 'family@version'`,
      },
      {
        rule: `self.find('^[^@]+') in [${quotedFamilies.join(', ')}]`,
        message: `family is not supported, must be one of the following: ${quotedFamilies.join(', ')}`,
      },
      {
        rule: `!(self.find('^[^@]+') in [${quotedWindows.join(', ')}]) || self.find('[^@]+$') == 'latest'`,
        message: `windows families may only specify version 'latest'`,
      },
    ],
  },
);

const amiTerm = object('Images by alias, tags, id, name or SSM parameter.', {
  alias,
  tags,
  // Not anchored either.
  id: string('The id of an image.', { pattern: 'ami-[0-9a-z]+' }),
  name: string('The name of an image; `*` and `?` match as in EC2 filters.'),
  owner: string('The account id or alias (`amazon`, `self`) that owns the image.'),
  ssmParameter: string('The name or ARN of an SSM parameter that holds an image id.'),
});

export const amiSelectorTerms = array(
  'Which images instances may be started from. The newest image that fits the architecture of an instance type is used.',
  amiTerm,
  {
    minItems: 1,
    maxItems: 30,
    rules: [
      namesOneOf(['tags', 'id', 'name', 'alias', 'ssmParameter']),
      notInAnyTermWith('id', ['alias', 'tags', 'name', 'owner'], exclusive('id', 'amiSelectorTerms')),
      notInAnyTermWith('alias', ['id', 'tags', 'name', 'owner'], exclusive('alias', 'amiSelectorTerms')),
      {
        rule: '!self.exists(term, has(term.alias)) || self.size() == 1',
        message: `'alias' is mutually exclusive, cannot be set with a combination of other amiSelectorTerms`,
      },
    ],
  },
);

export type SubnetSelectorTerm = Infer<typeof subnetTerm>;
export type SecurityGroupSelectorTerm = Infer<typeof securityGroupTerm>;
export type CapacityReservationSelectorTerm = Infer<typeof capacityReservationTerm>;
export type PlacementGroupSelector = Infer<typeof placementGroupSelector>;
export type AmiSelectorTerm = Infer<typeof amiTerm>;
