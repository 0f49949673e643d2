import type { Json, JsonObject } from '@karpenter/core/schema';
import type { PropertyPath } from './json-path.ts';
import { type Breakage, bothOf, casesAt, type RuleCase, set } from './rule-case.ts';
import { capacityBuffer, nodeClaim, nodeOverlay, nodePool, staticNodePool } from './samples.ts';

const requirementListPath = (path: PropertyPath) => {
  const requirement = (item: Json) => set(path, [item]);
  const integer = (comma: string) =>
    `requirements operator 'Gt', 'Lt', 'Gte'${comma} or 'Lte' must have a single positive integer value`;
  return {
    in: [
      `requirements with operator 'In' must have a value defined`,
      requirement({ key: 'team', operator: 'In', values: [] }),
    ],
    notIn: [
      `requirements with operator 'NotIn' must have a value defined`,
      requirement({ key: 'team', operator: 'NotIn', values: [] }),
    ],
    comparison: [integer(','), requirement({ key: 'cores', operator: 'Gte', values: ['-1'] })],
    overlayComparison: [integer(''), requirement({ key: 'cores', operator: 'Lt', values: ['1', '2'] })],
    minValues: [
      `requirements with 'minValues' must have at least that many values specified in the 'values' field`,
      requirement({ key: 'team', operator: 'In', values: ['a'], minValues: 2 }),
    ],
  } satisfies Record<string, Breakage>;
};

function keyCases(sample: JsonObject, path: PropertyPath, text: string, labels: readonly string[]) {
  return labels.map((label): RuleCase => {
    const domain = label.slice(0, label.indexOf('/'));
    const exact = label === 'kubernetes.io/hostname' || label === 'karpenter.sh/nodepool';
    return {
      kind: String(sample['kind']),
      path: `${text}[].key`,
      message: exact ? `label "${label}" is restricted` : `label domain "${domain}" is restricted`,
      sample,
      change: set(path, [{ key: label, operator: 'Exists' }]),
      field: `${text}[0].key`,
    };
  });
}

const restrictedKeys = ['karpenter.sh/custom', 'karpenter.k8s.aws/custom', 'kubernetes.io/hostname'];
const template = ['spec', 'template', 'spec'];
const inPool = requirementListPath([...template, 'requirements']);
const inSpec = requirementListPath(['spec', 'requirements']);
const labels = ['spec', 'template', 'metadata', 'labels'];

const nodeClassFields = (sample: JsonObject, path: PropertyPath, text: string) =>
  ['group', 'kind', 'name'].flatMap((name) =>
    casesAt(sample, `${text}.${name}`, [[`${name} may not be empty`, set([...path, name], '')]]),
  );

const nodePoolCases = [
  ...casesAt(
    nodePool,
    'spec',
    [
      [
        'Cannot transition NodePool between static (replicas set) and dynamic (replicas unset) provisioning modes',
        bothOf(set(['spec', 'replicas'], 1), set(['spec', 'weight'], undefined), set(['spec', 'limits'], {})),
      ],
    ],
    { update: true },
  ),
  ...casesAt(staticNodePool, 'spec', [
    [`only 'limits.nodes' is supported on static NodePools`, set(['spec', 'limits'], { nodes: 1, cpu: 1 })],
    [`'weight' is not supported on static NodePools`, set(['spec', 'weight'], 1)],
  ]),
  ...casesAt(nodePool, 'spec.disruption.budgets', [
    [
      `'schedule' must be set with 'duration'`,
      set(['spec', 'disruption', 'budgets'], [{ nodes: '1', schedule: '@daily' }]),
    ],
  ]),
  ...casesAt(
    nodePool,
    'spec.template.spec.nodeClassRef',
    [
      ['nodeClassRef.group is immutable', set([...template, 'nodeClassRef', 'group'], 'example.com')],
      ['nodeClassRef.kind is immutable', set([...template, 'nodeClassRef', 'kind'], 'OtherClass')],
    ],
    { update: true },
  ),
  ...nodeClassFields(nodePool, [...template, 'nodeClassRef'], 'spec.template.spec.nodeClassRef'),
  ...casesAt(nodePool, 'spec.template.metadata.labels', [
    ['label domain "karpenter.sh" is restricted', set(labels, { 'sub.karpenter.sh/x': 'y' })],
    ['label domain "karpenter.k8s.aws" is restricted', set(labels, { 'karpenter.k8s.aws/x': 'y' })],
    ['label "karpenter.sh/nodepool" is restricted', set(labels, { 'karpenter.sh/nodepool': 'y' })],
    ['label "kubernetes.io/hostname" is restricted', set(labels, { 'kubernetes.io/hostname': 'y' })],
  ]),
  ...casesAt(nodePool, 'spec.template.spec.requirements', [inPool.in, inPool.comparison, inPool.minValues]),
  ...keyCases(nodePool, [...template, 'requirements'], 'spec.template.spec.requirements', [
    ...restrictedKeys,
    'karpenter.sh/nodepool',
  ]),
];

const nodeClaimCases = [
  ...casesAt(nodeClaim, 'spec', [['spec is immutable', set(['spec', 'expireAfter'], '1h')]], {
    update: true,
  }),
  ...nodeClassFields(nodeClaim, ['spec', 'nodeClassRef'], 'spec.nodeClassRef'),
  ...casesAt(nodeClaim, 'spec.requirements', [inSpec.in, inSpec.comparison, inSpec.minValues]),
  ...keyCases(nodeClaim, ['spec', 'requirements'], 'spec.requirements', restrictedKeys),
];

const nodeOverlayCases = [
  ...casesAt(nodeOverlay, 'spec', [
    [`cannot set both 'price' and 'priceAdjustment'`, set(['spec', 'price'], '1')],
  ]),
  ...casesAt(nodeOverlay, 'spec.capacity', [
    ['invalid resource restricted', set(['spec', 'capacity'], { memory: '1Gi' })],
  ]),
  ...casesAt(nodeOverlay, 'spec.requirements', [inSpec.in, inSpec.overlayComparison, inSpec.notIn]),
  ...keyCases(nodeOverlay, ['spec', 'requirements'], 'spec.requirements', restrictedKeys),
];

const capacityBufferCases = casesAt(capacityBuffer, 'spec', [
  [
    'If podTemplateRef is set, replicas or limits must also be set',
    set(['spec'], { podTemplateRef: { name: 'web' } }),
  ],
  [
    'You must define either PodTemplateRef or ScalableRef, but not both',
    set(['spec', 'scalableRef'], { kind: 'Deployment', name: 'web' }),
  ],
]);

export const coreRuleCases: readonly RuleCase[] = [
  ...nodePoolCases,
  ...nodeClaimCases,
  ...nodeOverlayCases,
  ...capacityBufferCases,
];
