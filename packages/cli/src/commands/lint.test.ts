import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { creationProblem } from '@karpenter/sim/object-checks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { newProgram, runProgram } from '../program.ts';
import { addLintCommand } from './lint.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'karpenter-lint-'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

let files = 0;

function file(...objects: readonly object[]): string {
  files += 1;
  const path = join(directory, `file-${files}.yaml`);
  writeFileSync(path, textOf(...objects));
  return path;
}

const textOf = (...objects: readonly object[]) => objects.map((object) => stringify(object)).join('---\n');

async function run(args: readonly string[], stdin = '') {
  const ran = { out: '', err: '' };
  const terminal = {
    out: (text: string) => {
      ran.out += text;
    },
    err: (text: string) => {
      ran.err += text;
    },
  };
  const program = newProgram('karpenter', terminal);
  addLintCommand(program, terminal, {
    readStdin: async () => stdin,
    now: () => Date.UTC(2026, 0, 1),
    objectCheck: async () => creationProblem,
  });
  return { code: await runProgram(program, ['lint', ...args], terminal), ...ran };
}

const codes = async (...args: readonly string[]): Promise<readonly string[]> => {
  const { out, err } = await run([...args, '-o', 'json']);
  expect(err).toBe('');
  return JSON.parse(out).map(({ code }: { code: string }) => code);
};

const requirement = (key: string, ...values: readonly string[]) => ({ key, operator: 'In', values });
const nodePool = (requirements: readonly object[] = [], spec: object = { limits: { cpu: 100 } }) => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: {
    disruption: { consolidateAfter: '30s' },
    ...spec,
    template: {
      spec: {
        requirements,
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
      },
    },
  },
});
const nodeClass = (alias: string, status?: object) => ({
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default' },
  spec: {
    role: 'r',
    amiSelectorTerms: [{ alias }],
    subnetSelectorTerms: [{ id: 'subnet-1' }],
    securityGroupSelectorTerms: [{ id: 'sg-1' }],
  },
  ...(status && { status }),
});
const deployment = (cpu: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu } } }] },
    },
  },
});

describe('karpenter lint', () => {
  it('finds nothing in ordinary objects and exits with 0', async () => {
    expect(await run(['-f', file(nodePool(), nodeClass('al2023@v20260101'))])).toEqual({
      code: 0,
      out: 'no findings\n',
      err: '',
    });
  });

  it('prints code, object, field, reason and fix, and exits with 2', async () => {
    const { code, out } = await run([
      '-f',
      file(nodePool([requirement('topology.kubernetes.io/zone', 'eu-west-1a')])),
    ]);
    expect(code).toBe(2);
    expect(out).toBe(
      [
        'warning KL002  NodePool default: spec.template.spec.requirements',
        '  all nodes are in zone eu-west-1a, so that a failure or shortage there stops its workloads',
        '  fix: allow more zones in the requirements, or give the EC2NodeClass subnets in more zones',
        '',
        '1 finding: 0 error, 1 warning, 0 info',
        '',
      ].join('\n'),
    );
  });

  it.each<[string, readonly object[], readonly string[]]>([
    ['few spot types', [nodePool([requirement('node.kubernetes.io/instance-type', 'm5.large')])], ['KL001']],
    [
      'subnets in one zone',
      [nodePool(), nodeClass('al2023@v20260101', { subnets: [{ id: 's', zone: 'eu-west-1a' }] })],
      ['KL002'],
    ],
    ['burstable types for whole cores', [nodePool(), deployment('2')], ['KL003']],
    [
      'no burstable types',
      [nodePool([requirement('karpenter.k8s.aws/instance-category', 'm', 'c')]), deployment('2')],
      [],
    ],
    ['limits below a node', [nodePool([], { limits: { memory: '100Mi' } })], ['KL008']],
    [
      'requirements that no type meets',
      [nodePool([requirement('karpenter.k8s.aws/instance-family', 'm99')])],
      ['KL015'],
    ],
    ['a Windows pool without its class', [nodePool([requirement('kubernetes.io/os', 'windows')])], []],
    ['a pool for reservations', [nodePool([requirement('karpenter.sh/capacity-type', 'reserved')])], []],
    [
      'a pool of a Local Zone',
      [nodePool([requirement('topology.kubernetes.io/zone', 'us-west-2-lax-1a')])],
      [],
    ],
    ['images that are not pinned', [nodePool(), nodeClass('al2023@latest')], ['KL010']],
  ])('finds of %s', async (_, objects, expected) => {
    expect(await codes('-f', file(...objects))).toEqual(expected);
  });

  it('fails from the severity of --fail-on', async () => {
    const path = file(nodePool(), nodeClass('al2023@latest'));
    const codeOf = async (...args: readonly string[]) => (await run(['-f', path, ...args])).code;
    expect(await codeOf()).toBe(0);
    expect(await codeOf('--fail-on', 'info')).toBe(2);
    expect(await codeOf('--production')).toBe(2);
    expect(await codeOf('--production', '--fail-on', 'never')).toBe(0);
  });

  it('leaves out ignored rules, in any case and separated by commas', async () => {
    const path = file(nodePool([], {}), nodeClass('al2023@latest'));
    expect(await codes('-f', path)).toEqual(['KL013', 'KL010']);
    expect(await codes('-f', path, '--ignore', 'kl013')).toEqual(['KL010']);
    expect(await codes('-f', path, '--ignore', 'KL013,KL010')).toEqual([]);
    const { code, err } = await run(['-f', path, '--ignore', 'KL13']);
    expect({ code, err }).toEqual({
      code: 1,
      err: 'karpenter: --ignore "KL13" is not the code of a rule; did you mean KL013?\n',
    });
  });

  it('reads folders, standard input and lists, and passes over everything else', async () => {
    const folder = join(directory, 'folder');
    mkdirSync(join(folder, 'below'), { recursive: true });
    writeFileSync(join(folder, 'values.yaml'), 'replicas: 3\n');
    writeFileSync(join(folder, 'empty.yaml'), '');
    writeFileSync(join(folder, 'below', 'pool.yml'), textOf({ kind: 'HelmRelease' }, nodePool([], {})));
    expect(await codes('-f', folder)).toEqual(['KL013']);
    const list = { apiVersion: 'v1', kind: 'List', items: [nodePool([], {})] };
    expect((await run(['-f', '-', '--fail-on', 'info'], textOf(list))).out).toContain('KL013');
  });

  it('prints the same findings in each format for programs', async () => {
    const path = file(nodePool([], {}), nodeClass('al2023@latest'));
    const { out } = await run(['-f', path, '-o', 'json']);
    const findings = JSON.parse(out);
    expect(findings).toHaveLength(2);
    expect(parse((await run(['-f', path, '-o', 'yaml'])).out)).toEqual(findings);
    const lines = (await run(['-f', path, '-o', 'jsonl'])).out.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(findings);
  });

  it.each<[string, () => string, string]>([
    ['a file without a NodePool', () => file(deployment('1')), 'there is no NodePool or EC2NodeClass in '],
    [
      'a NodePool that is invalid',
      () => file(nodePool([{ key: 'a', operator: 'Is' }])),
      'NodePool "default" is invalid',
    ],
    [
      'a workload with an unknown field',
      () => file(nodePool(), { ...deployment('1'), specs: {} }),
      'unknown field "specs"',
    ],
    [
      'an older version',
      () => file({ ...nodePool(), apiVersion: 'karpenter.sh/v1beta1' }),
      'karpenter convert',
    ],
    ['a file that is not YAML', () => join(directory, 'broken.yaml'), 'not valid YAML'],
  ])('refuses %s with exit code 1', async (_, path, message) => {
    writeFileSync(join(directory, 'broken.yaml'), 'a: [');
    const { code, out, err } = await run(['-f', path()]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
  });
});
