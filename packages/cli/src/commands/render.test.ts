import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { main } from '../main.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'karpenter-render-'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function file(name: string, content: unknown): string {
  const path = join(directory, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

async function run(...args: readonly string[]) {
  const ran = { out: '', err: '' };
  const code = await main(['render', ...args], {
    out: (text) => {
      ran.out += text;
    },
    err: (text) => {
      ran.err += text;
    },
  });
  return { ...ran, code };
}

const nodeClass = (spec: object = {}) => ({
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default' },
  spec: { amiSelectorTerms: [{ alias: 'al2023@latest' }], role: 'r', ...spec },
});
const nodePool = (requirements: readonly object[]) => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general' },
  spec: {
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'other' },
        requirements,
      },
    },
  },
});

describe('karpenter render', () => {
  it('prints user data and notes its placeholders', async () => {
    const path = file('class.json', nodeClass({ kubelet: { maxPods: 42 } }));
    const { out, err, code } = await run('--nodeclass', path, '--cluster-name', 'prod');
    expect(code).toBe(0);
    expect(out).toContain('    apiServerEndpoint: https://prod.example\n');
    expect(out).toContain('      maxPods: 42\n');
    expect(err).toBe(
      'karpenter: note: made up, since only AWS knows them: images (--ami), subnets (--subnet), security groups (--security-group), the instance profile (--instance-profile)\n',
    );
  });

  it('prints the requests with the values of the flags', async () => {
    const path = file('class.json', nodeClass());
    const given = ['--ami', 'amd64=ami-1', '--subnet', 'us-east-1a=subnet-1', '--security-group', 'sg-1'];
    const args = ['--nodeclass', path, ...given, '--instance-profile', 'p', '--instance-type', 'm7i.large'];
    const template = await run(...args, '-o', 'launchtemplate');
    expect(template.err).toBe('');
    expect(JSON.parse(template.out)).toMatchObject([
      { LaunchTemplateData: { ImageId: 'ami-1', IamInstanceProfile: { Name: 'p' } } },
    ]);
    const fleet = JSON.parse((await run(...args, '-o', 'fleet')).out);
    expect(fleet.LaunchTemplateConfigs[0].Overrides).toEqual([
      {
        InstanceType: 'm7i.large',
        SubnetId: 'subnet-1',
        ImageId: 'ami-1',
        AvailabilityZone: 'us-east-1a',
        Priority: expect.any(Number),
      },
    ]);
  });

  it('notes which of several user data it prints, and a NodePool that refers to another class', async () => {
    const family = { key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['m7g'] };
    const { err } = await run(
      ...['--nodeclass', file('class.json', nodeClass())],
      ...['--nodepool', file('pool.json', nodePool([family]))],
    );
    expect(err).toContain('NodePool general refers to EC2NodeClass other, not default');
    expect(err).toContain(
      'different user data, by the most pods that a node runs; this is that of m7g.medium',
    );
  });

  it('notes every setting of Bottlerocket that nodes do not get', async () => {
    const userData = '[settings.kubernetes]\nmax-pod = 10\nlog-level = 2\n[setting]\nmotd = "x"\n';
    const terms = { amiSelectorTerms: [{ alias: 'bottlerocket@latest' }], userData };
    const path = file('ignored.json', nodeClass(terms));
    for (const output of ['userdata', 'launchtemplate', 'fleet']) {
      const { err, code } = await run('--nodeclass', path, '-o', output);
      expect(code).toBe(0);
      expect(err).toContain('note: spec.userData: settings.kubernetes.max-pod is ignored: ');
      expect(err).toContain('note: spec.userData: setting is ignored: ');
      expect(err).not.toContain('log-level');
    }
  });

  it('prints the user data of the type that the fleet request offers at the lowest price', async () => {
    const onDemand = { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] };
    const args = [
      ...['--nodeclass', file('class.json', nodeClass())],
      ...['--nodepool', file('pool.json', nodePool([onDemand]))],
    ];
    const { err } = await run(...args);
    const fleet = JSON.parse((await run(...args, '-o', 'fleet')).out);
    const offers: readonly { InstanceType: string; Priority: number }[] = fleet.LaunchTemplateConfigs.flatMap(
      ({ Overrides }: { Overrides: readonly object[] }) => Overrides,
    );
    const least = Math.min(...offers.map(({ Priority }) => Priority));
    const cheapest = offers
      .filter(({ Priority }) => Priority === least)
      .map(({ InstanceType }) => InstanceType);
    const [, shown] = /this is that of (\S+);/.exec(err) ?? [];
    expect(cheapest).toContain(shown);
  });

  it('prints requests as YAML too', async () => {
    const args = ['--nodeclass', file('class.json', nodeClass()), '-o', 'fleet'];
    expect(parse((await run(...args, '--format', 'yaml')).out)).toEqual(JSON.parse((await run(...args)).out));
  });

  it.each([
    ['the default region', [], 'us-west-2a'],
    ['that of a subnet', ['--subnet', 'eu-west-1b=subnet-1'], 'eu-west-1b'],
    ['that of --region', ['--region', 'eu-west-1'], 'eu-west-1a'],
  ] as const)('launches in %s', async (_, args, zone) => {
    const { out } = await run('--nodeclass', file('class.json', nodeClass()), '-o', 'fleet', ...args);
    expect(out).toContain(`"AvailabilityZone": "${zone}"`);
  });

  it.each([
    [['--instance-type', 'z9.huge'], 'there is no instance type "z9.huge"; '],
    [['--ami', 'image'], '--ami: "image" is not an image'],
    [['--subnet', 'subnet-1'], '--subnet: "subnet-1" is not a subnet of a zone'],
    [['--region', 'moon-1'], '--region: "moon-1" is not a region whose zones are known'],
  ])('refuses %j', async (flags, problem) => {
    const { err, code } = await run('--nodeclass', file('class.json', nodeClass()), ...flags);
    expect(code).toBe(1);
    expect(err).toContain(`karpenter: ${problem}`);
  });

  it('explains why user data is invalid, and when no instance type is left', async () => {
    const terms = { amiSelectorTerms: [{ alias: 'bottlerocket@latest' }], userData: 'apiVersion: v1' };
    const broken = await run('--nodeclass', file('broken.json', nodeClass(terms)));
    expect(broken).toMatchObject({ code: 1 });
    expect(broken.err).toContain(`karpenter: invalid UserData toml: expected '=' after key\n`);
    const nothing = { key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['none'] };
    const none = await run(
      ...['--nodeclass', file('class.json', nodeClass())],
      ...['--nodepool', file('pool.json', nodePool([nothing]))],
    );
    expect(none.err).toContain(
      'karpenter: note: NodePool general allows none of 1403 instance types of us-west-2: no type has karpenter.k8s.aws/instance-family In [none]; change that requirement\n',
    );
    expect(none.err).toContain('karpenter: all requested instance types were unavailable during launch\n');
  });
});
