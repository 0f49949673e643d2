import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { main } from '../main.ts';

// With the catalogue, the planner and the check of manifests that the command has in production.

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'karpenter-simulate-files-'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

let files = 0;

function file(...objects: readonly object[]): string {
  files += 1;
  const path = join(directory, `file-${files}.yaml`);
  writeFileSync(path, objects.map((object) => stringify(object)).join('---\n'));
  return path;
}

async function run(...args: readonly string[]) {
  const ran = { out: '', err: '' };
  const code = await main(['simulate', ...args], {
    out: (text) => {
      ran.out += text;
    },
    err: (text) => {
      ran.err += text;
    },
  });
  return { ...ran, code };
}

const zone = (...values: readonly string[]) => ({
  key: 'topology.kubernetes.io/zone',
  operator: 'In',
  values,
});
const type = (...values: readonly string[]) => ({
  key: 'node.kubernetes.io/instance-type',
  operator: 'In',
  values,
});

const nodePool = (name: string, ...requirements: readonly object[]) => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name },
  spec: {
    template: {
      spec: {
        requirements,
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
      },
    },
  },
});

const nodeClass = (zones: readonly string[]) => ({
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default' },
  spec: {},
  status: { subnets: zones.map((name) => ({ id: `subnet-${name}`, zone: name })) },
});

const mainContainer = { name: 'main', image: 'nginx', resources: { requests: { cpu: '1', memory: '1Gi' } } };

const deployment = (container: object = mainContainer, spec: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } },
    ...spec,
  },
});

describe('the region of a plan', () => {
  const zoneOf = async (...args: readonly string[]) => {
    const { out, err } = await run(...args, '-o', 'json');
    expect(err.replace(/.*not looked at.*\n/, '')).toBe('');
    return JSON.parse(out).newNodes[0].choice.offering.zone;
  };

  it('is us-west-2 where nothing says it', async () => {
    expect(await zoneOf('-f', file(nodePool('a'), deployment()))).toMatch(/^us-west-2/);
  });

  it('is that of the zones of NodePools, of which each can be used', async () => {
    expect(await zoneOf('-f', file(nodePool('a', zone('us-east-1f')), deployment()))).toBe('us-east-1f');
  });

  it('is that of the subnets of EC2NodeClasses before that of zones', async () => {
    const path = file(nodePool('a'), nodeClass(['eu-central-1b']), deployment());
    expect(await zoneOf('-f', path)).toBe('eu-central-1b');
  });

  it('decides the currency of prices', async () => {
    const [path, region] = [file(nodePool('a'), deployment()), ['--region', 'cn-north-1']];
    const { out } = await run('-f', path, ...region);
    expect(out).toMatch(/ for ¥\d+\.\d\d an hour;/);
    expect(out).toContain('¥/H EACH');
    expect(out).toContain(' at ¥');
    expect((await run('-f', path, '--against', path, ...region)).out).toContain('¥/HOUR');
    expect(out).not.toContain('$');
    expect((await run('-f', path)).out).not.toContain('¥');
  });

  it('is that of --region before all', async () => {
    expect(await zoneOf('-f', file(nodePool('a'), deployment()), '--region', 'sa-east-1')).toMatch(
      /^sa-east-1/,
    );
  });

  it('is noted where a NodePool asks for another', async () => {
    const { err } = await run(
      '-f',
      file(nodePool('a', zone('eu-west-1a')), deployment()),
      '--region',
      'us-east-1',
    );
    expect(err).toContain('NodePool a asks for zones of eu-west-1, and nodes are planned in us-east-1');
  });

  it.each([
    [
      'of a NodePool',
      () => file(nodePool('a', zone('eu-west-1a', 'eu-west-1z')), deployment()),
      'requirements[0].values[1]',
    ],
    [
      'of a node selector',
      () =>
        file(nodePool('a'), {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'p' },
          spec: {
            containers: [mainContainer],
            nodeSelector: { 'topology.kubernetes.io/zone': 'eu-west-1z' },
          },
        }),
      'spec.nodeSelector.topology.kubernetes.io/zone',
    ],
  ])('is not found for a zone %s that no region has', async (_, path, field) => {
    const { code, err, out } = await run('-f', path());
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(`${field}: no region has a zone "eu-west-1z"; did you mean eu-west-1`);
  });

  it.each([
    [
      'zones that a NodePool excludes',
      { key: 'topology.kubernetes.io/zone', operator: 'NotIn', values: ['mars-1a'] },
    ],
    ['zones that only older accounts have', zone('us-west-1c', 'us-west-1a')],
    ['Local Zones', zone('us-west-2-lax-1a', 'us-west-2a')],
    ['ids of zones', { key: 'topology.k8s.aws/zone-id', operator: 'In', values: ['usw2-az1'] }],
  ])('accepts %s', async (_, requirement) => {
    expect(await run('-f', file(nodePool('a', requirement), deployment()))).toMatchObject({
      code: 0,
      err: '',
    });
  });

  it('is refused when zones are in two', async () => {
    const { code, err } = await run(
      '-f',
      file(nodePool('a', zone('eu-west-1a', 'us-east-1a')), deployment()),
    );
    expect(code).toBe(1);
    expect(err).toContain('are in eu-west-1 and us-east-1; choose one with --region');
  });

  it('is refused when nobody knows it', async () => {
    const { code, err } = await run('-f', file(nodePool('a'), deployment()), '--region', 'mars-1');
    expect(code).toBe(1);
    expect(err).toContain(
      '--region: "mars-1" is not a region whose zones are known; choose one of us-east-1, ',
    );
  });
});

describe('manifests are checked as an API server checks them', () => {
  it.each<[string, object, string]>([
    [
      'an unknown field',
      deployment({ name: 'main', image: 'nginx', resources: { request: { cpu: '1' } } }),
      'Deployment default/web is invalid: unknown field "spec.template.spec.containers[0].resources.request"',
    ],
    [
      'an unknown field of the workload',
      deployment(mainContainer, { replica: 3 }),
      'unknown field "spec.replica"',
    ],
    [
      'a wrong type',
      deployment({ ...mainContainer, ports: [{ containerPort: '80' }] }),
      'Deployment default/web is invalid: spec.template.spec.containers[0].ports[0].containerPort',
    ],
    [
      'a wrong type that planning does not read',
      deployment({ ...mainContainer, command: 'sleep' }),
      'Deployment default/web is invalid: spec.template.spec.containers.command: is of type string, not []string',
    ],
    [
      'a malformed quantity',
      deployment({ ...mainContainer, resources: { requests: { cpu: '1 core' } } }),
      'spec.containers[0].resources.requests.cpu: "1 core" is not a quantity',
    ],
    [
      'a malformed quantity that planning does not read',
      deployment(mainContainer, {
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [mainContainer], volumes: [{ name: 'v', emptyDir: { sizeLimit: '5 GB' } }] },
        },
      }),
      'Deployment default/web is invalid: spec.template.spec.volumes[0].emptyDir.sizeLimit: "5 GB" is not a quantity',
    ],
    [
      'a missing selector',
      deployment(mainContainer, { selector: undefined }),
      'Deployment default/web is invalid: spec.selector: Required value',
    ],
    [
      'a request above its limit',
      deployment({ ...mainContainer, resources: { requests: { cpu: 2 }, limits: { cpu: 1 } } }),
      'spec.template.spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
    ],
    [
      'an old version',
      { ...deployment(), apiVersion: 'extensions/v1beta1' },
      'apiVersion: no kind "Deployment" in version "extensions/v1beta1"; write apps/v1',
    ],
    ['no version', { ...deployment(), apiVersion: undefined }, 'apiVersion: Required value; write apps/v1'],
    [
      'a budget with a wrong field',
      {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'b' },
        spec: { maxUnavailabel: 1, selector: {} },
      },
      'PodDisruptionBudget default/b is invalid: unknown field "spec.maxUnavailabel"',
    ],
  ])('%s', async (_, object, message) => {
    const path = file(nodePool('a'), object);
    const { code, out, err } = await run('-f', path);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
    expect(err.split('\n')).toHaveLength(2);
    expect(err).toContain(`${path}, document 2`);
  });

  it('unless an API server has accepted them already', async () => {
    const object = { ...deployment({ ...mainContainer, newField: 1 }), metadata: { name: 'web', uid: 'u' } };
    expect(await run('-f', file(nodePool('a'), object))).toMatchObject({ code: 0 });
  });

  it('also as items of a list without their kind', async () => {
    const items = [{ metadata: { name: 'p' }, spec: { containers: [{ ...mainContainer, imag: 'x' }] } }];
    const { code, err } = await run('-f', file(nodePool('a'), { apiVersion: 'v1', kind: 'PodList', items }));
    expect(code).toBe(1);
    expect(err).toContain('Pod default/p is invalid: unknown field "spec.containers[0].imag"');
  });
});

describe('--exit-code', () => {
  const huge = { ...mainContainer, resources: { requests: { cpu: '5000' } } };

  it('makes pods without a place exit code 2, after the plan is printed', async () => {
    const path = file(nodePool('a'), deployment(huge));
    expect(await run('-f', path, '--exit-code')).toMatchObject({
      code: 2,
      out: expect.stringContaining('3 without'),
    });
    expect(await run('-f', path)).toMatchObject({ code: 0 });
  });

  it('is 0 when every pod has a place', async () => {
    expect(await run('-f', file(nodePool('a'), deployment()), '--exit-code')).toMatchObject({ code: 0 });
  });
});

describe('the JSON of a plan', () => {
  it('is indented by two spaces as -o json, and one line as -o jsonl', async () => {
    const path = file(nodePool('a'), deployment());
    const [pretty, line] = [await run('-f', path, '-o', 'json'), await run('-f', path, '-o', 'jsonl')];
    const { seconds: _, ...plan } = JSON.parse(pretty.out);
    expect(pretty.out).toBe(`${JSON.stringify(JSON.parse(pretty.out), undefined, 2)}\n`);
    expect(line.out).toBe(`${JSON.stringify(JSON.parse(line.out))}\n`);
    expect(JSON.parse(line.out)).toMatchObject(plan);
  });
});

describe('--against', () => {
  const pods = () => file(deployment());
  const compare = async (first: object, second: object, ...args: readonly string[]) =>
    run('-f', file(first), '-f', pods(), '--against', file(second), ...args);

  it('compares nodes, price and places of pods', async () => {
    const { code, out, err } = await compare(
      nodePool('a', type('m5.large')),
      nodePool('b', type('m5.4xlarge')),
      '-o',
      'json',
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const compared = JSON.parse(out);
    expect(compared).toMatchObject({
      before: { nodes: 3, placed: 3, failed: 0 },
      after: { nodes: 1, placed: 3, failed: 0 },
      difference: { nodes: -2, placed: 0 },
      errors: {},
    });
    const { before, after, difference } = compared;
    expect(difference.hourlyPrice).toBeCloseTo(after.hourlyPrice - before.hourlyPrice, 6);
    expect(compared.moved).toHaveLength(3);
    expect(compared.moved[0]).toEqual({
      pod: 'web-0',
      from: { nodePool: 'a', instanceType: 'm5.large', capacityType: 'spot' },
      to: { nodePool: 'b', instanceType: 'm5.4xlarge', capacityType: 'spot' },
    });
  });

  it('moves nothing between equal NodePools', async () => {
    const { out } = await compare(nodePool('a', type('m5.large')), nodePool('a', type('m5.large')));
    expect(out).toContain('difference      0  0.0000       0                0');
    expect(out).toContain('No pod moves.');
  });

  it('names the pods that lose their place, and counts them for --exit-code', async () => {
    const { code, out } = await compare(
      nodePool('a'),
      nodePool('a', type('m5.large'), zone('us-west-2a'), {
        key: 'karpenter.k8s.aws/instance-cpu',
        operator: 'Gt',
        values: ['64'],
      }),
      '--exit-code',
    );
    expect(code).toBe(2);
    expect(out).toContain('3 pods without a place after the change:');
    expect(out).toContain('no place');
  });

  it('prints the same as YAML', async () => {
    const pools = [nodePool('a', type('m5.large')), nodePool('b', type('m5.xlarge'))] as const;
    const [json, yaml] = [await compare(...pools, '-o', 'json'), await compare(...pools, '-o', 'yaml')];
    expect(parse(yaml.out)).toEqual(JSON.parse(json.out));
  });

  it.each<[string, () => readonly string[], string]>([
    [
      'no files',
      () => ['--against', pods()],
      '--against compares manifests; name those of the first plan with -f',
    ],
    ['--save', () => ['-f', pods(), '--against', pods(), '--save', 'x'], '--against makes two plans'],
    ['a missing file', () => ['-f', pods(), '--against', 'nope.yaml'], 'cannot read nope.yaml'],
    [
      'flags for a live cluster',
      () => ['-f', pods(), '--against', pods(), '--consolidate'],
      '--consolidate is about the live cluster',
    ],
  ])('is refused with %s', async (_, args, message) => {
    const { code, err } = await run(...args());
    expect(code).toBe(1);
    expect(err).toContain(message);
  });
});

it('refuses a file in UTF-16, as PowerShell writes it', async () => {
  const path = join(directory, 'powershell.yaml');
  writeFileSync(path, Buffer.from('\ufeffkind: NodePool\n', 'utf16le'));
  const { code, err } = await run('-f', path);
  expect([code, err]).toEqual([1, `karpenter: ${path} is not text in UTF-8; save it as UTF-8 first\n`]);
});

it('adds zones and the number of types to a wide table', async () => {
  const { out } = await run(
    '-f',
    file(nodePool('a', type('m5.large', 'm5.xlarge')), deployment()),
    '-o',
    'wide',
  );
  expect(out).toMatch(/PODS {2}TYPES {2}ZONES\n.* {2}us-west-2a\n/);
});
