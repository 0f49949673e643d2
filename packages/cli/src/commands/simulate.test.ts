import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodedError } from '@karpenter/core/errors';
import type { InstanceType } from '@karpenter/core/ports';
import { type PlanOptions, plan, type Snapshot } from '@karpenter/core/scheduling';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { addSimulateCommand } from './simulate.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'karpenter-simulate-'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function file(name: string, content: unknown): string {
  const path = join(directory, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

interface Ran {
  readonly out: string;
  readonly err: string;
  readonly error?: string;
  readonly code?: string;
  readonly planned: readonly { readonly snapshot: Snapshot; readonly options: PlanOptions }[];
}

async function run(args: readonly string[], stdin = ''): Promise<Ran> {
  const ran = { out: '', err: '', planned: [] as { snapshot: Snapshot; options: PlanOptions }[] };
  const terminal = {
    out: (text: string) => {
      ran.out += text;
    },
    err: (text: string) => {
      ran.err += text;
    },
  };
  let ticks = 0;
  const program = new Command('karpenter').exitOverride().configureOutput({ writeErr: terminal.err });
  addSimulateCommand(program, terminal, {
    plan: (snapshot, options) => {
      ran.planned.push({ snapshot, options });
      return plan(snapshot, options);
    },
    clock: { now: () => 1_700_000_000_000, monotonic: () => 250 * ticks++ },
    instanceTypes: () => [small],
    readStdin: async () => stdin,
  });
  try {
    await program.parseAsync(['simulate', ...args], { from: 'user' });
    return ran;
  } catch (error) {
    if (error instanceof CodedError) return { ...ran, error: error.message, code: error.code };
    throw error;
  }
}

const nodePool = (name: string) => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name },
  spec: {
    template: {
      spec: {
        requirements: [],
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
      },
    },
  },
});

const container = (cpu: unknown) => ({ name: 'main', resources: { requests: { cpu, memory: '1Gi' } } });

const deployment = (name: string, replicas: number, main: object = container('1')) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [main] } },
  },
});

const small: InstanceType = {
  name: 'small',
  requirements: [
    { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['small'] },
    { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a'] },
    { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] },
  ],
  capacity: { cpu: '4', memory: '8Gi', pods: '10' },
  overhead: {},
  offerings: [
    {
      requirements: [
        { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a'] },
        { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] },
      ],
      price: 0.5,
      available: true,
    },
  ],
};

const scenario = (count: number, rest: object = {}) => ({
  instanceTypes: [
    {
      name: 'small',
      labels: { 'kubernetes.io/arch': 'amd64', 'kubernetes.io/os': 'linux' },
      capacity: { cpu: '4', memory: '8Gi', pods: '10' },
      overhead: { cpu: '100m' },
      offerings: [{ zone: 'a', capacityType: 'spot', price: 0.5 }],
    },
  ],
  nodePools: [nodePool('default')],
  pods: [{ count, pod: { metadata: { labels: { app: 'web' } }, spec: { containers: [container('1')] } } }],
  ...rest,
});

describe('karpenter simulate', () => {
  it('prints one JSON line for each scenario, in the order of the files', async () => {
    const files = [file('one.json', scenario(3)), file('two.json', scenario(4))];
    const { out } = await run(['-f', files[0] ?? '', '-f', files[1] ?? '', '-o', 'json']);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([
      { pods: 3, placed: 3, failed: 0, onExisting: 0, nodes: 1, hourlyPrice: 0.5, seconds: 0.25, errors: {} },
      { pods: 4, placed: 4, failed: 0, onExisting: 0, nodes: 2, hourlyPrice: 1, seconds: 0.25, errors: {} },
    ]);
  });

  it('treats pods that can never fit as a result, with the reason', async () => {
    const huge = [{ count: 2, pod: { spec: { containers: [container('64')] } } }];
    const { out } = await run(['-f', file('huge.json', scenario(0, { pods: huge })), '-o', 'json']);
    const { placed, failed, errors } = JSON.parse(out);
    expect({ placed, failed }).toEqual({ placed: 0, failed: 2 });
    expect(Object.keys(errors)).toEqual(['p-0-0', 'p-0-1']);
    expect(errors['p-0-0']).toContain('no instance type has enough resources');
  });

  it('reads standard input for -', async () => {
    const { out } = await run(['-f', '-', '-o', 'json'], JSON.stringify(scenario(1)));
    expect(JSON.parse(out)).toMatchObject({ pods: 1, placed: 1 });
  });

  it('prints the whole plan as YAML', async () => {
    const { out } = await run(['-f', file('one.json', scenario(1)), '-o', 'yaml']);
    expect(parse(out)).toMatchObject({
      summary: { pods: 1, nodes: 1 },
      newNodes: [{ nodePool: 'default', instanceTypes: ['small'], pods: ['p-0-0'], price: 0.5 }],
      rejections: [],
    });
  });

  it('prints a table by default', async () => {
    const { out } = await run(['-f', file('one.json', scenario(3))]);
    expect(out).toContain('3 pods, 3 placed; 1 new node for $0.50 an hour');
    expect(out).toMatch(/^default {3}small {10}spot {10}1/m);
  });

  it('makes the same plan from a saved cluster, with the same options', async () => {
    const saved = join(directory, 'saved.json');
    const source = file('source.json', { kind: 'List', items: [nodePool('default'), deployment('web', 5)] });
    const first = await run(['-f', source, '-o', 'yaml', '--save', saved, '--preference-policy', 'Ignore']);
    const second = await run(['-f', saved, '-o', 'yaml']);
    expect(second.planned).toEqual(first.planned);
    expect(first.planned[0]?.options.preferencePolicy).toBe('Ignore');
    expect({ ...parse(second.out), source: '' }).toEqual({ ...parse(first.out), source: '' });
    expect(parse(first.out)).toMatchObject({ summary: { placed: 5 } });
    expect(JSON.parse(readFileSync(saved, 'utf8'))).toMatchObject({
      apiVersion: 'saved.karpenter.sh/v1',
      kind: 'SavedCluster',
    });
  });

  it('writes the same file again for a saved cluster, except for policies of the command line', async () => {
    const [saved, again, other] = ['saved.json', 'again.json', 'other.json'].map((name) =>
      join(directory, name),
    );
    const source = file('source.json', { kind: 'List', items: [nodePool('default'), deployment('web', 5)] });
    await run(['-f', source, '--save', saved ?? '']);
    await run(['-f', saved ?? '', '--save', again ?? '']);
    const text = readFileSync(saved ?? '', 'utf8');
    expect(readFileSync(again ?? '', 'utf8')).toBe(text);
    await run(['-f', saved ?? '', '--save', other ?? '', '--preference-policy', 'Ignore']);
    expect(readFileSync(other ?? '', 'utf8')).toBe(text.replace('"Respect"', '"Ignore"'));
  });

  it('plans a saved cluster at the time at which it was saved', async () => {
    const saved = join(directory, 'saved.json');
    await run(['-f', file('pool.json', nodePool('default')), '--save', saved]);
    const { at, ...rest } = JSON.parse(readFileSync(saved, 'utf8'));
    expect(at).toBe(1_700_000_000_000);
    const { planned } = await run(['-f', file('earlier.json', { ...rest, at: 5 })]);
    expect(planned[0]?.snapshot.at).toBe(5);
  });

  it('saves neither secrets and config maps nor what containers run', async () => {
    const saved = join(directory, 'saved.json');
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { p: 'hidden' } };
    const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { p: 'hidden' } };
    const main = { ...container('1'), env: [{ name: 'P', value: 'hidden' }], args: ['--password=hidden'] };
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': 'hidden', kept: 'yes' };
    const managedFields = [{ manager: 'hidden' }];
    const plain = {
      kind: 'Pod',
      metadata: { name: 'a', annotations, managedFields },
      spec: { containers: [main], initContainers: [main] },
    };
    const items = [nodePool('default'), secret, config, plain, deployment('web', 1, main)];
    await run(['-f', file('all.json', { kind: 'List', items }), '--save', saved]);
    const text = readFileSync(saved, 'utf8');
    expect(text).not.toContain('hidden');
    expect(text).not.toMatch(/"(Secret|ConfigMap|managedFields)"/);
    expect(text).toContain('"kept":"yes"');
  });

  it('refuses to save a scenario, which is such a file already', async () => {
    const path = file('one.json', scenario(1));
    const ran = await run(['-f', path, '--save', join(directory, 'x.json')]);
    expect(ran).toMatchObject({ code: 'unwritable-file', out: '' });
    expect(ran.error).toContain('one.json is a benchmark scenario');
  });

  it('keeps storage, buffers, overlays and ignored pods in a saved cluster', async () => {
    const pods = (name: string, spec: string) =>
      `{kind: Pod, metadata: {name: ${name}}, spec: {containers: [{name: main}], ${spec}}}`;
    const source = file(
      'companions.yaml',
      [
        pods('odd', 'nodeSelector: {kubernetes.io/hostname: n}'),
        JSON.stringify(nodePool('default')),
        pods('fine', 'volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]'),
        '{kind: PersistentVolumeClaim, metadata: {name: data}, spec: {storageClassName: gp3}}',
        '{kind: StorageClass, metadata: {name: gp3}, provisioner: p, volumeBindingMode: WaitForFirstConsumer}',
        '{kind: PodTemplate, metadata: {name: slot}, template: {spec: {containers: [{}]}}}',
        '{apiVersion: autoscaling.x-k8s.io/v1beta1, kind: CapacityBuffer, metadata: {name: spare}, spec: {podTemplateRef: {name: slot}, replicas: 2}}',
        "{apiVersion: karpenter.sh/v1alpha1, kind: NodeOverlay, metadata: {name: o}, spec: {requirements: [], price: '1'}}",
      ].join('\n---\n'),
    );
    const saved = join(directory, 'companions.json');
    const first = await run(['-f', source, '-o', 'json', '--save', saved]);
    const second = await run(['-f', saved, '-o', 'json']);
    expect(second.planned).toEqual(first.planned);
    expect(second.out).toBe(first.out);
    expect(first.planned[0]?.snapshot.storage?.claims).toHaveLength(1);
    expect(JSON.parse(first.out)).toMatchObject({
      pods: 1,
      ignored: { odd: expect.stringContaining('using label') },
      buffers: { 'default/spare': { replicas: 2, failed: 0 } },
      overlays: { o: 'Valid' },
    });
  });

  it('applies the spread constraints of --scheduler-config to pods of manifests', async () => {
    const set = {
      kind: 'ReplicaSet',
      metadata: { name: 'web' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [container('1')] } },
      },
    };
    const config =
      'podTopologySpread: {defaultConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]}';
    const { planned } = await run(['-f', file('set.json', set), '--scheduler-config', config]);
    expect(planned[0]?.snapshot.pods[0]?.spec.topologySpreadConstraints).toMatchObject([
      { maxSkew: 1, topologyKey: 'zone' },
    ]);
  });

  it.each([
    ['podTopologySpread: [', 'scheduler-config: not valid YAML: '],
    ['['.repeat(10_000), 'scheduler-config: not valid YAML: it is nested too deeply'],
    ['a: *b', 'scheduler-config: not valid YAML: '],
    [
      'podTopologySpread: {defaults: []}',
      'scheduler-config: podTopologySpread has the unknown field "defaults"',
    ],
  ])('refuses the scheduler config %j', async (config, sentence) => {
    const ran = await run(['-f', file('one.json', scenario(1)), '--scheduler-config', config]);
    expect(ran).toMatchObject({ code: 'invalid-setting', error: expect.stringContaining(sentence) });
    expect(ran.error).not.toContain('\n');
  });

  it('refuses to save more than one cluster', async () => {
    const path = file('one.json', scenario(1));
    const { error } = await run(['-f', path, path, '--save', join(directory, 'x.json')]);
    expect(error).toContain('--save keeps one cluster and the files hold 2');
  });

  it('explains why a cluster cannot be written', async () => {
    const { code } = await run(['-f', file('pool.json', nodePool('default')), '--save', directory]);
    expect(code).toBe('unwritable-file');
  });

  it.each([
    [[], 'Respect', 'Strict'],
    [['--preference-policy', 'Ignore', '--min-values-policy', 'BestEffort'], 'Ignore', 'BestEffort'],
  ])('plans by the policies of %j', async (flags, preferencePolicy, minValuesPolicy) => {
    const { planned } = await run(['-f', file('one.json', scenario(1)), ...flags]);
    expect(planned[0]?.options).toMatchObject({ preferencePolicy, minValuesPolicy });
  });

  it('ignores preferences when the scenario asks for it, unless the command line sets a policy', async () => {
    const path = file('prefs.json', scenario(1, { ignorePreferences: true }));
    expect((await run(['-f', path])).planned[0]?.options.preferencePolicy).toBe('Ignore');
    const overridden = await run(['-f', path, '--preference-policy', 'Respect']);
    expect(overridden.planned[0]?.options.preferencePolicy).toBe('Respect');
  });
});

const pod = (cpu: string) =>
  `kind: Pod\nmetadata: {name: a}\nspec: {containers: [{resources: {requests: {cpu: ${cpu}}}}]}\n`;
const brokenPool = { ...nodePool('p'), spec: { ...nodePool('p').spec, weight: 101 } };

const apartFrom = (expression: object) => ({
  kind: 'Pod',
  metadata: { name: 'a' },
  spec: {
    containers: [container('1')],
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'zone', labelSelector: { matchExpressions: [expression] } },
        ],
      },
    },
  },
});

const pods = (metadata: object, cpu = '1') => ({
  apiVersion: 'v1',
  kind: 'Pod',
  items: [{ metadata, spec: { containers: [container(cpu)] } }],
});

const savedCluster = (...objects: readonly object[]) => ({
  apiVersion: 'saved.karpenter.sh/v1',
  kind: 'SavedCluster',
  at: 0,
  planning: {
    preferencePolicy: 'Respect',
    minValuesPolicy: 'Strict',
    ignoreDraRequests: true,
    featureGates: {},
    reservedCapacity: 'strict',
    defaultSpread: [],
    nodeClasses: [],
    hasStorage: true,
  },
  instanceTypes: { lists: [], nodePools: {} },
  facts: [],
  objects,
});

describe('karpenter simulate rejects in one sentence', () => {
  it.each([
    ['an empty file', 'empty.yaml', '', 'empty-file', 'empty.yaml is empty'],
    ['a file of comments', 'comments.yaml', '# nothing\n---\n', 'empty-file', 'comments.yaml is empty'],
    [
      'malformed YAML',
      'bad.yaml',
      'a: [1\nb: 2\n',
      'malformed-file',
      'bad.yaml, document 1: not valid YAML: ',
    ],
    [
      'YAML of ten thousand lists in each other',
      'deep.yaml',
      `a: ${'['.repeat(10_000)}`,
      'malformed-file',
      'deep.yaml, document 1: not valid YAML: it is nested too deeply',
    ],
    [
      'malformed JSON',
      'bad.json',
      '{"kind": "Pod",\n "x"',
      'malformed-file',
      'bad.json, document 1: not valid JSON: ',
    ],
    [
      'an unknown kind',
      'kind.yaml',
      `${pod('1')}---\napiVersion: foo/v1\nkind: Widget\n`,
      'unknown-kind',
      'kind.yaml, document 2: cannot plan with kind Widget (foo/v1)',
    ],
    [
      'a kind of an API version before v1',
      'older.yaml',
      'apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\nmetadata: {name: a}\n',
      'unknown-kind',
      'older.yaml, document 1: Provisioner of karpenter.sh/v1alpha5 is an older version that is not served any more; run "karpenter convert -f FILE"',
    ],
    [
      'a NodePool of an API version before v1',
      'beta.yaml',
      'apiVersion: karpenter.sh/v1beta1\nkind: NodePool\nmetadata: {name: a}\n',
      'unknown-kind',
      'beta.yaml, document 1: NodePool of karpenter.sh/v1beta1 is an older version',
    ],
    [
      'an object without a kind',
      'nokind.yaml',
      'a: 1\n',
      'unknown-kind',
      'nokind.yaml, document 1: there is no kind',
    ],
    [
      'a NodePool that fails validation',
      'pool.json',
      brokenPool,
      'invalid-object',
      'pool.json, document 1: NodePool "p" is invalid: spec.weight: Invalid value: 101',
    ],
    [
      'a malformed quantity',
      'quantity.yaml',
      pod('1x'),
      'invalid-quantity',
      'quantity.yaml, document 1: Pod default/a: spec.containers[0].resources.requests.cpu: "1x" is not a quantity',
    ],
    [
      'a malformed quantity in a scenario',
      'quantity.json',
      scenario(0, { pods: [{ count: 1, pod: { spec: { containers: [container('1x')] } } }] }),
      'invalid-quantity',
      'quantity.json, document 1: pods[0]: spec.containers[0].resources.requests.cpu',
    ],
    [
      'a selector that only planning parses',
      'selector.json',
      { kind: 'List', items: [nodePool('p'), apartFrom({ key: 'a', operator: 'In' })] },
      'invalid-selector',
      'selector.json: labelSelector.matchExpressions[0].values',
    ],
    [
      'a scenario without a part',
      'part.json',
      { pods: [] },
      'invalid-object',
      'part.json, document 1: the scenario is invalid: instanceTypes: Required value',
    ],
    [
      'a bound pod without a node',
      'bound.json',
      scenario(0, { boundPods: [{ spec: { containers: [] } }] }),
      'invalid-object',
      'bound.json, document 1: boundPods[0] is invalid: spec.nodeName: Required value',
    ],
    [
      'a saved cluster of another version',
      'version.json',
      { ...savedCluster(), apiVersion: 'saved.karpenter.sh/v9' },
      'invalid-object',
      'version.json, document 1: the saved cluster: its apiVersion is "saved.karpenter.sh/v9", not saved.karpenter.sh/v1; save the cluster again',
    ],
    [
      'a saved cluster without a part',
      'noat.json',
      { ...savedCluster(), at: undefined },
      'invalid-object',
      'noat.json, document 1: the saved cluster: at: Required value; save the cluster again',
    ],
    [
      'a saved cluster with a kind that no plan reads',
      'secret.json',
      savedCluster({ apiVersion: 'v1', kind: 'Secret', items: [] }),
      'unknown-kind',
      'secret.json, document 1: the saved cluster: no plan reads kind Secret (v1); remove its list',
    ],
    [
      'a saved cluster with a pod without uid',
      'uid.json',
      savedCluster(pods({ name: 'a', namespace: 'default' })),
      'invalid-object',
      'uid.json, document 1: Pod default/a is invalid: metadata.uid: Required value',
    ],
    [
      'a saved cluster with a malformed quantity',
      'savedquantity.json',
      savedCluster(pods({ name: 'a', namespace: 'default', uid: 'u' }, '1x')),
      'invalid-quantity',
      'savedquantity.json, document 1: Pod default/a: spec.containers[0].resources.requests.cpu: "1x" is not a quantity',
    ],
    [
      'a saved cluster with an incomplete NodeClaim',
      'savedclaim.json',
      savedCluster({
        apiVersion: 'karpenter.sh/v1',
        kind: 'NodeClaim',
        items: [{ metadata: { name: 'c' }, spec: {} }],
      }),
      'invalid-object',
      'savedclaim.json, document 1: NodeClaim c is invalid: spec.requirements: Required value',
    ],
    [
      'a saved cluster with a NodePool that fails validation',
      'savedpool.json',
      savedCluster({ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', items: [brokenPool] }),
      'invalid-object',
      'savedpool.json, document 1: NodePool "p" is invalid: spec.weight: Invalid value: 101',
    ],
    [
      'a saved cluster with a malformed quantity of an instance type',
      'savedtype.json',
      {
        ...savedCluster(),
        instanceTypes: { lists: [[{ ...small, capacity: { cpu: '1x' } }]], nodePools: {} },
      },
      'invalid-quantity',
      'savedtype.json, document 1: instance type small: capacity.cpu: "1x" is not a quantity',
    ],
    [
      'a saved cluster with an unknown operator in an instance type',
      'savedoperator.json',
      {
        ...savedCluster(),
        instanceTypes: {
          lists: [[{ ...small, requirements: [{ key: 'a', operator: 'Near' }] }]],
          nodePools: {},
        },
      },
      'invalid-requirement',
      'savedoperator.json, document 1: instance type small: ',
    ],
    [
      'a saved cluster in which an object occurs twice',
      'twice.json',
      savedCluster({
        apiVersion: 'v1',
        kind: 'Namespace',
        items: [{ metadata: { name: 'a' } }, { metadata: { name: 'a' } }],
      }),
      'invalid-object',
      'twice.json, document 1: Namespace a occurs twice; remove one',
    ],
  ])('%s', async (_, name, content, code, sentence) => {
    const ran = await run(['-f', file(name, content)]);
    expect({ code: ran.code, out: ran.out, err: ran.err }).toEqual({ code, out: '', err: '' });
    expect(ran.error).toContain(sentence);
    expect(ran.error).not.toContain('\n');
  });

  it('a missing file', async () => {
    const path = join(directory, 'missing.yaml');
    expect(await run(['-f', path])).toMatchObject({
      code: 'unreadable-file',
      error: `cannot read ${path}: there is no such file or folder`,
    });
  });

  it('a directory', async () => {
    expect((await run(['-f', directory])).error).toContain('it is a folder; name the files in it');
  });
});
