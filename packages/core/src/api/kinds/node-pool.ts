import {
  array,
  conditions,
  defaulted,
  enumeration,
  type Infer,
  integer,
  map,
  object,
  quantity,
  type ResourceOf,
  required,
  resourceKind,
  string,
  stringItem,
} from '../../schema/index.ts';
import { ageColumn, readyColumn } from './columns.ts';
import { karpenterDomain, labelMapRules, nodePoolLabelKeyRules, type ReservedDomain } from './label-rules.ts';
import {
  expireAfter,
  nodeClassReference,
  startupTaints,
  taints,
  terminationGracePeriod,
} from './node-claim-parts.ts';
import {
  budgetDurationPattern,
  budgetNodesPattern,
  budgetSchedulePattern,
  labelValuePattern,
  nillableDurationPattern,
} from './patterns.ts';
import { requirementList } from './requirement-schema.ts';

const budget = object('How many nodes may be disrupted at a time, always or during certain hours.', {
  nodes: required(
    defaulted(
      string(
        'The most nodes of the pool that may be away at the same time: a number, or a percentage of the pool rounded up. `0` blocks disruption.',
        { pattern: budgetNodesPattern },
      ),
      '10%',
    ),
  ),
  reasons: array(
    'The reasons for disruption that this budget limits; unset means all of them.',
    enumeration('A reason to disrupt a node.', ['Underutilized', 'Empty', 'Drifted']),
    { maxItems: 50, listType: 'set' },
  ),
  schedule: string(
    'When the budget begins to hold: a cron expression of five fields in UTC, such as `0 9 * * mon-fri`, or a word such as `@daily`. Needs `duration`; unset means always.',
    { pattern: budgetSchedulePattern },
  ),
  duration: string('How long the budget holds from each time of the schedule, such as `8h` or `1h30m`.', {
    pattern: budgetDurationPattern,
  }),
});

export type Budget = Infer<typeof budget>;

const disruption = object('When and how fast nodes of the pool may be replaced or removed.', {
  consolidateAfter: required(
    string(
      'How long no pod must have come or gone before a node is considered for consolidation, such as `30s`, or `Never`.',
      { pattern: nillableDurationPattern },
    ),
  ),
  consolidationPolicy: defaulted(
    enumeration(
      'Which nodes consolidation looks at: only those without pods to move (`WhenEmpty`), also those whose pods fit elsewhere or on something cheaper (`WhenEmptyOrUnderutilized`), or the latter weighing savings against disturbance (`Balanced`).',
      ['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced'],
    ),
    'WhenEmptyOrUnderutilized',
  ),
  budgets: defaulted(
    array(
      'Limits on how many nodes may be disrupted at a time. The strictest budget that holds at the moment wins; an empty list means no limit.',
      budget,
      {
        maxItems: 50,
        listType: 'atomic',
        rules: [
          {
            rule: 'self.all(budget, has(budget.schedule) == has(budget.duration))',
            message: `'schedule' must be set with 'duration'`,
          },
        ],
      },
    ),
    [{ nodes: '10%' }],
  ),
});

const nodeClassMayNotMove = [
  { rule: 'self.group == oldSelf.group', message: 'nodeClassRef.group is immutable' },
  { rule: 'self.kind == oldSelf.kind', message: 'nodeClassRef.kind is immutable' },
];

const template = (domains: readonly ReservedDomain[]) =>
  object('What every NodeClaim of the pool is made from.', {
    metadata: object('Labels and annotations that the nodes get.', {
      labels: map(
        'Labels for the nodes. Pods may select on them.',
        stringItem({ maxLength: 63, pattern: labelValuePattern }),
        { maxProperties: 100, mapType: 'atomic', rules: labelMapRules(domains) },
      ),
      annotations: map('Annotations for the nodes.', stringItem()),
    }),
    spec: required(
      object('Desired state of the nodes.', {
        requirements: required(
          requirementList(
            'Conditions on node labels that narrow the choice of instance types, zones, architectures and capacity types. The wider the choice, the lower the price and the better the odds when capacity is short.',
            nodePoolLabelKeyRules(domains),
          ),
        ),
        nodeClassRef: required(nodeClassReference(nodeClassMayNotMove)),
        taints,
        startupTaints,
        terminationGracePeriod,
        expireAfter,
      }),
    ),
  });

const spec = (domains: readonly ReservedDomain[]) =>
  object(
    'Which nodes the pool may make, how many, and how they may be disrupted.',
    {
      template: required(template(domains)),
      disruption: defaulted(disruption, { consolidateAfter: '0s' }),
      limits: map(
        'The most resources that all nodes of the pool together may have, such as `cpu: 1000`; `nodes` limits their number.',
        quantity(),
      ),
      weight: integer('Pools of higher weight are tried first; unset counts as 0.', {
        format: 'int32',
        minimum: 1,
        maximum: 100,
      }),
      replicas: integer(
        'Alpha. Keeps this many nodes running whether or not pods ask for them (a static pool); unset makes nodes as pods need them.',
        { format: 'int64', minimum: 0 },
      ),
    },
    {
      rules: [
        {
          rule: 'has(self.replicas) == has(oldSelf.replicas)',
          message:
            'Cannot transition NodePool between static (replicas set) and dynamic (replicas unset) provisioning modes',
        },
        {
          rule: `!has(self.replicas) || !has(self.limits) || self.limits.all(resource, resource == 'nodes')`,
          message: `only 'limits.nodes' is supported on static NodePools`,
        },
        {
          rule: '!(has(self.replicas) && has(self.weight))',
          message: `'weight' is not supported on static NodePools`,
        },
      ],
    },
  );

const status = object('What the controllers know about the pool.', {
  resources: map('The resources of all nodes of the pool together.', quantity()),
  nodes: defaulted(integer('How many nodes the pool has.', { format: 'int64' }), 0),
  nodeClassObservedGeneration: integer(
    'The generation of the NodeClass that registration health was last determined for.',
    { format: 'int64' },
  ),
  conditions,
});

/** @param providerDomains label domains reserved by the cloud provider */
export function nodePoolKind(providerDomains: readonly ReservedDomain[]) {
  return resourceKind({
    group: 'karpenter.sh',
    version: 'v1',
    kind: 'NodePool',
    plural: 'nodepools',
    scope: 'Cluster',
    categories: ['karpenter'],
    description:
      'A NodePool says which nodes may be made for pods that do not fit, and how those nodes may be replaced later.',
    columns: [
      { name: 'NodeClass', type: 'string', jsonPath: '.spec.template.spec.nodeClassRef.name' },
      { name: 'Nodes', type: 'string', jsonPath: '.status.nodes' },
      readyColumn,
      ageColumn,
      { name: 'Weight', type: 'integer', jsonPath: '.spec.weight', priority: 1 },
      { name: 'CPU', type: 'string', jsonPath: '.status.resources.cpu', priority: 1 },
      { name: 'Memory', type: 'string', jsonPath: '.status.resources.memory', priority: 1 },
    ],
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.nodes' },
    spec: spec([karpenterDomain, ...providerDomains]),
    specRequired: true,
    status,
  });
}

export type NodePool = ResourceOf<ReturnType<typeof nodePoolKind>>;
type NodePoolSpec = NodePool['spec'];
export type NodeClaimTemplate = NodePoolSpec['template'];
