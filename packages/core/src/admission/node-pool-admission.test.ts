import { describe, expect, it } from 'vitest';
import { coreLabelPolicy, extendLabelPolicy, type NodePool } from '../api/index.ts';
import { requirementPolicy } from '../requirements/index.ts';
import { type AdmissionRules, admitNodeClaim, admitNodePool, problemText, TypeCatalogue } from './index.ts';

const cpu = 'example.com/cpu';
const gpu = 'example.com/gpu';
const arch = 'kubernetes.io/arch';
const type = 'node.kubernetes.io/instance-type';

const policy = requirementPolicy(
  extendLabelPolicy(coreLabelPolicy, {
    wellKnown: new Set([cpu, gpu]),
    restrictedDomains: new Set(['example.com']),
  }),
);

const catalogue = new TypeCatalogue(
  [
    { name: 'small', labels: { [type]: 'small', [arch]: 'amd64', [cpu]: '2', [gpu]: undefined } },
    { name: 'large', labels: { [type]: 'large', [arch]: 'amd64', [cpu]: '64', [gpu]: 't4' } },
    { name: 'green', labels: { [type]: 'green', [arch]: 'arm64', [cpu]: '8', [gpu]: undefined } },
  ],
  policy.aliases,
);

const rules: AdmissionRules = {
  policy,
  nodeClasses: [{ group: 'example.com', version: 'v1', kind: 'ExampleClass', plural: 'exampleclasses' }],
  types: { catalogue, source: 'Example' },
};

type Template = NodePool['spec']['template'];
type Requirements = Template['spec']['requirements'];

interface Parts extends Partial<Omit<Template['spec'], 'requirements'>> {
  readonly labels?: Readonly<Record<string, string>>;
  readonly requirements?: Requirements;
  readonly disruption?: Partial<NonNullable<NodePool['spec']['disruption']>>;
}

const nodeClassRef = { group: 'example.com', kind: 'ExampleClass', name: 'default' };

function pool({ labels, disruption, requirements = [], ...spec }: Parts) {
  const template = { ...(labels && { metadata: { labels } }), spec: { nodeClassRef, requirements, ...spec } };
  return { spec: { template, ...(disruption && { disruption }) } } as unknown as Pick<NodePool, 'spec'>;
}

const errorsOf = (parts: Parts) => admitNodePool(pool(parts), rules).errors.map(problemText);
const warningsOf = (parts: Parts) => admitNodePool(pool(parts), rules).warnings;
const one = (key: string, operator: string, ...values: readonly string[]) =>
  ({ key, operator, ...(values.length > 0 && { values }) }) as Requirements[number];

describe('a NodePool is accepted', () => {
  it.each<[string, Parts]>([
    ['without requirements', {}],
    [
      'with labels and requirements of its own',
      { labels: { team: 'a' }, requirements: [one('tier', 'Exists')] },
    ],
    ['with requirements that one type meets', { requirements: [one(cpu, 'Gt', '8'), one(gpu, 'In', 't4')] }],
    ['with a label that types lack', { requirements: [one(gpu, 'DoesNotExist'), one(cpu, 'Lt', '3')] }],
    [
      'with a value that no type has excluded',
      { requirements: [one(gpu, 'NotIn', 'a100'), one(cpu, 'Lt', '3')] },
    ],
    ['with the old key of a label', { requirements: [one('beta.kubernetes.io/arch', 'In', 'arm64')] }],
    ['with a range', { requirements: [one(cpu, 'Gt', '4'), one(cpu, 'Lt', '16')] }],
    [
      'with the same key twice and a common value',
      { requirements: [one('a', 'In', 'x', 'y'), one('a', 'NotIn', 'x')] },
    ],
    [
      'with a schedule',
      {
        disruption: {
          consolidateAfter: '30s',
          budgets: [{ nodes: '0', schedule: '0 9 * * mon-fri', duration: '8h' }],
        },
      },
    ],
    [
      'with equal taints of different effects',
      {
        taints: [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'a', effect: 'NoExecute' },
        ],
      },
    ],
  ])('%s', (_, parts) => {
    expect(admitNodePool(pool(parts), rules)).toEqual({ errors: [], warnings: [] });
  });

  it('whatever it says, if its NodeClass belongs to another provider', () => {
    const other = {
      requirements: [one(cpu, 'Gt', '900')],
      nodeClassRef: { ...nodeClassRef, group: 'other.io' },
    };
    expect(errorsOf(other)).toEqual([]);
  });

  it('while no instance types are known', () => {
    const types = { catalogue: new TypeCatalogue([], policy.aliases), source: 'Example' };
    const impossible = pool({ requirements: [one(type, 'In', 'none')] });
    expect(admitNodePool(impossible, { ...rules, types })).toEqual({ errors: [], warnings: [] });
  });
});

describe('a NodePool is refused', () => {
  it.each<[string, Parts, RegExp]>([
    [
      'a restricted label',
      { labels: { 'kubernetes.io/hostname': 'x' } },
      /^spec\.template\.metadata\.labels: Invalid value: "kubernetes\.io\/hostname": using label kubernetes\.io\/hostname is not allowed/,
    ],
    [
      'a label of a restricted domain',
      { labels: { 'sub.example.com/a': 'x' } },
      /^spec\.template\.metadata\.labels: Invalid value: "sub\.example\.com\/a": using label/,
    ],
    [
      'a malformed label',
      { labels: { 'a b': 'x' } },
      /^spec\.template\.metadata\.labels: Invalid value: "a b": name part must consist of/,
    ],
    [
      'a malformed value of a label',
      { labels: { a: 'x y' } },
      /^spec\.template\.metadata\.labels\[a\]: Invalid value: "x y": a valid label must be/,
    ],
    [
      'a restricted requirement',
      { requirements: [one('a', 'Exists'), one('example.com/other', 'Exists')] },
      /^spec\.template\.spec\.requirements\[1\]\.key: Invalid value: "example\.com\/other": using label/,
    ],
    [
      'a requirement on its own label',
      { requirements: [one('karpenter.sh/nodepool', 'Exists')] },
      /^spec\.template\.spec\.requirements\[0\]\.key: Invalid value: "karpenter\.sh\/nodepool": restricted$/,
    ],
    [
      'an unknown capacity type',
      { requirements: [one('karpenter.sh/capacity-type', 'In', 'spott')] },
      /^spec\.template\.spec\.requirements\[0\]\.values: Invalid value: \["spott"\]: no valid values found/,
    ],
    [
      'a malformed value',
      { requirements: [one('a', 'In', 'x y')] },
      /^spec\.template\.spec\.requirements\[0\]\.values: Invalid value: \["x y"\]: invalid value x y for key a/,
    ],
    [
      'a taint twice across both lists',
      {
        taints: [{ key: 'a', effect: 'NoSchedule' }],
        startupTaints: [{ key: 'a', value: 'v', effect: 'NoSchedule' }],
      },
      /^spec\.template\.spec\.startupTaints\[0\]: Invalid value: "a=NoSchedule": has the key and effect of spec\.template\.spec\.taints\[0\]; remove one of the two$/,
    ],
    [
      'a taint with a malformed value',
      { taints: [{ key: 'a', value: 'b c', effect: 'NoSchedule' }] },
      /^spec\.template\.spec\.taints\[0\]\.value: Invalid value: "b c": name part must consist of/,
    ],
    [
      'a schedule that is no cron',
      {
        disruption: {
          consolidateAfter: '0s',
          budgets: [{ nodes: '1' }, { nodes: '0', schedule: '61 * * * *', duration: '1h' }],
        },
      },
      /^spec\.disruption\.budgets\[1\]\.schedule: Invalid value: "61 \* \* \* \*": not a cron schedule; its minute "61" must be/,
    ],
    [
      'a schedule with a time zone',
      {
        disruption: {
          consolidateAfter: '0s',
          budgets: [{ nodes: '0', schedule: 'TZ=Asia/Seoul 0 9 * * *', duration: '1h' }],
        },
      },
      /^spec\.disruption\.budgets\[0\]\.schedule: Invalid value: "TZ=Asia\/Seoul 0 9 \* \* \*": not a cron schedule/,
    ],
    [
      'a duration that does not fit',
      { expireAfter: '9999999999h' },
      /^spec\.template\.spec\.expireAfter: Invalid value: "9999999999h": not a duration; write numbers/,
    ],
    [
      'lists without a common value',
      { requirements: [one('a', 'In', 'x'), one('b', 'Exists'), one('a', 'In', 'y')] },
      /^spec\.template\.spec\.requirements\[2\]: Invalid value: "a In \[y\]": contradicts spec\.template\.spec\.requirements\[0\] \(a In \[x\]\): no node can meet both$/,
    ],
    [
      'a label against a requirement',
      { labels: { [arch]: 'arm64' }, requirements: [one('beta.kubernetes.io/arch', 'In', 'amd64')] },
      /^spec\.template\.spec\.requirements\[0\]: Invalid value: "beta\.kubernetes\.io\/arch In \[amd64\]": contradicts spec\.template\.metadata\.labels\[kubernetes\.io\/arch\]/,
    ],
    [
      'lists of which any two have a common value',
      { requirements: [one('a', 'In', 'x', 'y'), one('a', 'In', 'y', 'z'), one('a', 'In', 'z', 'x')] },
      /^spec\.template\.spec\.requirements\[2\]: Invalid value: "a In \[z x\]": contradicts spec\.template\.spec\.requirements\[0\] \(a In \[x y\]\) and spec\.template\.spec\.requirements\[1\] \(a In \[y z\]\): no node can meet all$/,
    ],
    [
      'presence and absence of a label',
      { requirements: [one('a', 'DoesNotExist'), one('a', 'Exists')] },
      /^spec\.template\.spec\.requirements\[1\]: Invalid value: "a Exists": contradicts/,
    ],
    [
      'an empty range',
      { requirements: [one(cpu, 'Gt', '8'), one(cpu, 'Lt', '8')] },
      /^spec\.template\.spec\.requirements\[1\]: Invalid value: "example\.com\/cpu Lt \[8\]": contradicts/,
    ],
    [
      'nothing but unknown instance types',
      { requirements: [one(type, 'In', 'smal', 'larg')] },
      /^spec\.template\.spec\.requirements\[0\]: Invalid value: "node\.kubernetes\.io\/instance-type In \[smal larg\]": no instance type of Example meets it; change the requirement/,
    ],
    [
      'more than any type has',
      { requirements: [one(cpu, 'Gt', '64')] },
      /^spec\.template\.spec\.requirements\[0\]: Invalid value: "example\.com\/cpu Gt \[64\]": no instance type of Example meets it;/,
    ],
    [
      'what no type has together, without requirements that do not matter',
      {
        requirements: [
          one('team', 'Exists'),
          one(arch, 'In', 'arm64'),
          one(cpu, 'Gt', '1'),
          one(gpu, 'Exists'),
        ],
      },
      /^spec\.template\.spec\.requirements\[3\]: Invalid value: "example\.com\/gpu Exists": no instance type of Example meets it together with spec\.template\.spec\.requirements\[1\] \(kubernetes\.io\/arch In \[arm64\]\);/,
    ],
  ])('for %s', (_, parts, message) => {
    const errors = errorsOf(parts);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(message);
  });

  it('for all its errors at once', () => {
    expect(
      errorsOf({
        labels: { 'kubernetes.io/hostname': 'x' },
        requirements: [one(cpu, 'Gt', '900')],
        disruption: {
          consolidateAfter: '0s',
          budgets: [{ nodes: '0', schedule: 'x x x x x', duration: '1h' }],
        },
      }),
    ).toHaveLength(3);
  });

  it('with the beginning of a value that is too long to read', () => {
    const values = Array.from({ length: 5_000 }, (_, index) => `type-${index}`);
    const [error = ''] = errorsOf({ requirements: [one(type, 'In', ...values)] });
    expect(error).toContain('type-4 and 4995 others]');
    const [syntax = ''] = errorsOf({ labels: { a: 'x '.repeat(5_000) } });
    expect(syntax.length).toBeLessThan(800);
  });
});

describe('a NodePool is accepted with a warning', () => {
  it('for unknown instance types beside known ones', () => {
    const parts = { requirements: [one(type, 'In', 'small', 'larg')] };
    expect(errorsOf(parts)).toEqual([]);
    expect(warningsOf(parts)).toEqual([
      'spec.template.spec.requirements[0].values: no instance type of Example has "larg" as node.kubernetes.io/instance-type; such values have no effect',
    ]);
  });

  it('for unknown instance types that it excludes', () => {
    expect(warningsOf({ requirements: [one(type, 'NotIn', 'larg')] })).toHaveLength(1);
  });

  it('for unknown capacity types beside known ones', () => {
    expect(warningsOf({ requirements: [one('karpenter.sh/capacity-type', 'In', 'spot', 'spott')] })).toEqual([
      'spec.template.spec.requirements[0].values: karpenter.sh/capacity-type is never spott; such values have no effect',
    ]);
  });

  it('for more different values than the types have', () => {
    const requirements = [{ ...one(type, 'Exists'), minValues: 3 }, one(arch, 'In', 'amd64')];
    expect(warningsOf({ requirements })).toEqual([
      'spec.template.spec.requirements[0].minValues: 3 values of node.kubernetes.io/instance-type are required, but the instance types of Example that meet all requirements have 2',
    ]);
    expect(warningsOf({ requirements: [{ ...one(type, 'Exists'), minValues: 3 }] })).toEqual([]);
  });
});

describe('a NodeClaim', () => {
  const errors = (requirements: Requirements, more: object = {}) =>
    admitNodeClaim({ spec: { nodeClassRef, requirements, ...more } } as never, rules).errors.map(problemText);

  it('is judged by the same rules, with its own fields', () => {
    expect(errors([one(cpu, 'Gt', '8')])).toEqual([]);
    expect(errors([one(cpu, 'Gt', '900')])[0]).toMatch(/^spec\.requirements\[0\]: Invalid value/);
    const taint = { key: 'a', effect: 'NoSchedule' };
    expect(errors([], { taints: [taint, taint] })[0]).toMatch(/^spec\.taints\[1\]: Invalid value/);
  });

  it('may name its NodePool', () => {
    expect(errors([one('karpenter.sh/nodepool', 'In', 'default')])).toEqual([]);
  });
});
