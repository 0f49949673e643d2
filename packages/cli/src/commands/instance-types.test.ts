import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodedError } from '@karpenter/core/errors';
import { instanceType } from '@karpenter/ec2-catalogue';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { addInstanceTypesCommand } from './instance-types.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'karpenter-instance-types-'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function file(name: string, content: unknown): string {
  const path = join(directory, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

interface Ran {
  readonly out: string;
  readonly error?: string;
}

async function run(args: readonly string[], stdin = ''): Promise<Ran> {
  const ran = { out: '' };
  const terminal = {
    out: (text: string) => {
      ran.out += text;
    },
    err: () => {},
  };
  const program = new Command('karpenter').exitOverride();
  addInstanceTypesCommand(program, terminal, async () => stdin);
  try {
    await program.parseAsync(['instance-types', ...args], { from: 'user' });
    return ran;
  } catch (error) {
    if (error instanceof CodedError) return { ...ran, error: error.message };
    throw error;
  }
}

interface Line {
  readonly name: string;
  readonly labels: Readonly<Record<string, readonly string[] | string>>;
  readonly capacity: Readonly<Record<string, string>>;
  readonly evictionThreshold: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
  readonly offerings: readonly Readonly<Record<string, unknown>>[];
}

async function lines(...args: readonly string[]): Promise<readonly Line[]> {
  const { out, error } = await run([...args, '-o', 'jsonl']);
  expect(error).toBeUndefined();
  return out
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line));
}

const nodePool = (requirements: readonly object[]) => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: {
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements,
      },
    },
  },
});

const inZone = (zone: string) => ({ key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] });

const nodeClass = (spec: object, status?: object) => ({
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default' },
  spec,
  ...(status && { status }),
});

describe('karpenter instance-types', () => {
  it('prints one line of JSON for each type, for Amazon Linux 2023 in three zones of the region', async () => {
    const [type] = await lines('m5.xlarge', '--region', 'us-east-1');
    expect(type).toMatchObject({
      name: 'm5.xlarge',
      labels: {
        'topology.kubernetes.io/zone': ['us-east-1a', 'us-east-1b', 'us-east-1c'],
        'topology.k8s.aws/zone-id': ['use1-az1', 'use1-az2', 'use1-az4'],
        'karpenter.k8s.aws/instance-gpu-count': 'DoesNotExist',
      },
      capacity: { cpu: '4', memory: '15155Mi', pods: '58', 'ephemeral-storage': '20Gi' },
      evictionThreshold: { memory: '100Mi', 'ephemeral-storage': '2.147483648e+09' },
      allocatable: { cpu: '3920m', memory: '14162Mi', pods: '58', 'ephemeral-storage': '17Gi' },
    });
    expect(type?.offerings[1]).toEqual({
      capacityType: 'spot',
      zone: 'us-east-1a',
      zoneId: 'use1-az1',
      price: 0.0672,
      estimated: true,
      available: true,
    });
    expect(type?.offerings).toHaveLength(6);
  });

  it('prints a table of what is left for pods, the cheapest type first', async () => {
    const { out } = await run(['m5.xlarge', 'm5.large', 'trn2.48xlarge', '--region', 'us-east-1']);
    expect(out.split('\n').map((line) => line.replace(/ +/g, ' '))).toEqual([
      'TYPE ARCH CPU MEMORY PODS CPU LEFT MEMORY LEFT DEVICES ON-DEMAND SPOT',
      'm5.large amd64 2 8.0Gi 29 1.93 6.7Gi 0.0960 ~0.0336',
      'm5.xlarge amd64 4 16.0Gi 58 3.92 13.8Gi 0.1920 ~0.0672',
      '',
      '2 instance types; left is what pods and daemons share; prices in dollars an hour, estimates marked with ~',
      '1 not available: no price is known, no zone offers them, or the NodeClass excludes them',
      '',
    ]);
  });

  it('shows the prices of the region, and marks those that its price list did not have as estimates', async () => {
    const rows = async (region: string) => {
      const { out } = await run(['m5.large', 'm9g.large', '--region', region]);
      return out.split('\n').map((line) => line.replace(/ +/g, ' '));
    };
    expect((await rows('eu-west-1')).find((line) => line.startsWith('m5.large'))).toMatch(/ 0\.1070 ~0\.037/);
    expect((await rows('eu-west-1')).find((line) => line.startsWith('m9g.large'))).toMatch(/ ~0\.1\d+ ~0\.0/);
    expect((await rows('cn-north-1')).join('\n')).toContain('prices in yuan an hour');
  });

  it('adds disk space and zones to a wide table', async () => {
    const { out } = await run(['m5.large', '--region', 'us-east-1', '-o', 'wide']);
    const [titles, row] = out.split('\n').map((line) => line.replace(/ +/g, ' '));
    expect(titles).toBe(
      'TYPE ARCH CPU MEMORY PODS CPU LEFT MEMORY LEFT DISK LEFT DEVICES ON-DEMAND SPOT ZONES',
    );
    expect(row).toBe(
      'm5.large amd64 2 8.0Gi 29 1.93 6.7Gi 17.0Gi 0.0960 ~0.0336 us-east-1a us-east-1b us-east-1c',
    );
  });

  it('prints the same types as a list of JSON and of YAML', async () => {
    const [line] = await lines('m5.large');
    expect(JSON.parse((await run(['m5.large', '-o', 'json'])).out)).toEqual([line]);
    expect(parse((await run(['m5.large', '-o', 'yaml'])).out)).toEqual([line]);
  });

  it.each([
    ['us-west-2 where nothing says it', [], 'us-west-2a'],
    ['the region of the zones of the NodePool', ['--nodepool', 'POOL'], 'eu-west-1a'],
    ['the region of the subnets of the NodeClass', ['--nodeclass', 'CLASS'], 'ap-south-1b'],
    ['the region of --zones', ['--zones', 'sa-east-1c'], 'sa-east-1c'],
  ] as const)('shows %s', async (_, args, zone) => {
    const zones = [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['eu-west-1a'] }];
    const subnets = [{ id: 'subnet-1', zone: 'ap-south-1b', zoneID: 'aps1-az3' }];
    const paths: Readonly<Record<string, string>> = {
      POOL: file('zone-pool.json', nodePool(zones)),
      CLASS: file('zone-class.json', nodeClass({}, { subnets })),
    };
    const [type] = await lines('m5.large', ...args.map((arg) => paths[arg] ?? arg));
    expect(type?.offerings[0]).toMatchObject({ zone });
  });

  it('accepts a NodeClass with only the fields that affect instance types', async () => {
    const path = file('class.yaml', nodeClass({ amiFamily: 'Bottlerocket', kubelet: { maxPods: 10 } }));
    const [type] = await lines('m5.xlarge', '--nodeclass', path);
    expect(type?.capacity['pods']).toBe('10');
  });

  it('takes the zones from the subnets of the NodeClass, unless --zones gives others', async () => {
    const subnets = [{ id: 'subnet-1', zone: 'eu-west-1b', zoneID: 'euw1-az2' }];
    const path = file('class-subnets.yaml', nodeClass({}, { subnets }));
    const zonesOf = async (...more: readonly string[]) =>
      (await lines('m5.large', '--nodeclass', path, '--region', 'eu-west-1', ...more))[0]?.labels[
        'topology.kubernetes.io/zone'
      ];
    expect(await zonesOf()).toEqual(['eu-west-1b']);
    expect(await zonesOf('--zones', 'eu-west-1a')).toEqual(['eu-west-1a']);
  });

  it('shows only types and offerings that a NodePool allows', async () => {
    const path = file(
      'pool.json',
      nodePool([
        { key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['m5'] },
        { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Lt', values: ['5'] },
        { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] },
      ]),
    );
    const types = await lines('--nodepool', path);
    expect(types.map(({ name, offerings }) => [name, offerings.length])).toEqual([
      ['m5.large', 3],
      ['m5.xlarge', 3],
    ]);
  });

  it.each([
    ['the whole answer', (records: readonly object[]) => JSON.stringify({ InstanceTypes: records })],
    ['a list', (records: readonly object[]) => JSON.stringify(records)],
    ['JSON lines', (records: readonly object[]) => records.map((each) => JSON.stringify(each)).join('\n')],
  ])('reads types that EC2 described, as %s', async (_, write) => {
    const records = [instanceType('t3.large'), { InstanceType: 'z9.large' }].map((each) => ({ ...each }));
    const { out } = await run(['--from', '-', '-o', 'jsonl'], write(records));
    const types = out
      .trim()
      .split('\n')
      .map((line): Line => JSON.parse(line));
    expect(types.map(({ name, capacity }) => [name, capacity['pods']])).toEqual([
      ['t3.large', '35'],
      ['z9.large', undefined],
    ]);
    const { error } = await run(['--from', '-', 'c5.large'], write(records));
    expect(error).toContain('there is no instance type "c5.large"');
  });

  it('applies the controller settings that affect sizes', async () => {
    const [type] = await lines('t3.large', '--reserved-enis', '1', '--vm-memory-overhead-percent', '0');
    expect(type?.capacity).toMatchObject({ pods: '24', memory: '8Gi' });
  });

  it.each<[string, readonly string[], string]>([
    [
      'a file without the object',
      ['--nodeclass', 'POOL'],
      'pool.yaml has no EC2NodeClass in it; name a file with exactly one',
    ],
    [
      'a class that no cluster would take',
      ['--nodeclass', 'BAD'],
      'bad.yaml, document 1: EC2NodeClass "default" is invalid: spec.amiFamily: Unsupported value: "BeOS": supported values: "AL2", "AL2023", "Bottlerocket", "Custom", "Windows2019", "Windows2022", "Windows2025"',
    ],
    ['records that are none', ['--from', 'POOL'], 'instance type is invalid: InstanceType: Required value'],
    ['text that is not JSON', ['--from', 'TEXT'], 'text.json, line 1: not valid JSON'],
    [
      'zones that are not known',
      ['--zones', 'mars-1a'],
      '--zones: "mars-1a" is not a list of zones of us-west-2',
    ],
    ['a name that no type has', ['m5.huge'], 'there is no instance type "m5.huge"; did you mean'],
    [
      'one of several names that no type has',
      ['m5.large', 'm99.large'],
      'there is no instance type "m99.large"; did you mean',
    ],
    ['a pattern that no type has', ['zz*'], 'there is no instance type "zz*"; leave the name out to see all'],
    [
      'a Mac',
      ['mac1.metal'],
      'no node can be of instance type "mac1.metal": the AMI family has no image for x86_64_mac',
    ],
    [
      'a name that the NodePool excludes',
      ['m5.large', '--nodepool', 'ARM'],
      'the NodePool does not allow instance type "m5.large"; leave out --nodepool to see it',
    ],
    [
      'a NodePool whose zones are in another region',
      ['--nodepool', 'IRELAND', '--region', 'us-west-2'],
      'instance types of us-west-2: its zones eu-west-1a are in eu-west-1; use --region eu-west-1',
    ],
    [
      'a NodeClass whose subnets are in another region',
      ['--nodeclass', 'SUBNETS', '--region', 'us-west-2'],
      'whose subnets are in eu-west-1; use --region eu-west-1',
    ],
    [
      'a NodePool with a requirement that no type meets',
      ['--nodepool', 'NONE'],
      'no type has karpenter.k8s.aws/instance-family In [m99]; change that requirement',
    ],
    [
      'a zone that no region has',
      ['--nodepool', 'NOWHERE'],
      'NodePool default: spec.template.spec.requirements[0].values[0]: no region has a zone "eu-west-1z"; did you mean',
    ],
    [
      'a region that is not known',
      ['--region', 'mars-1'],
      '--region: "mars-1" is not a region whose zones are known',
    ],
  ])('names what is wrong with %s', async (_, args, message) => {
    const paths: Readonly<Record<string, string>> = {
      POOL: file('pool.yaml', nodePool([])),
      BAD: file('bad.yaml', nodeClass({ amiFamily: 'BeOS' })),
      TEXT: file('text.json', 'm5.large'),
      ARM: file('arm.yaml', nodePool([{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }])),
      IRELAND: file('ireland.yaml', nodePool([inZone('eu-west-1a')])),
      NOWHERE: file('nowhere.yaml', nodePool([inZone('eu-west-1z')])),
      SUBNETS: file('subnets.yaml', nodeClass({}, { subnets: [{ id: 'subnet-1', zone: 'eu-west-1b' }] })),
      NONE: file(
        'none.yaml',
        nodePool([{ key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['m99'] }]),
      ),
    };
    const { error } = await run(args.map((arg) => paths[arg] ?? arg));
    expect(error).toContain(message);
  });
});
