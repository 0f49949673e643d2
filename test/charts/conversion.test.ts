import { ec2NodeClasses } from '@karpenter/aws';
import { convertedDefinitions } from '@karpenter/aws/conversion';
import { nodeClaims, nodePools } from '@karpenter/controllers';
import { type Kind, type KubeObject, kinds } from '@karpenter/kube/client';
import type { ControlPlane } from '@karpenter/testkit/control-plane';
import { ec2NodeClass, nodeClaim, nodePool } from '@karpenter/testkit/custom-resources';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChartWorld, chartWorld } from './chart-world.ts';
import { chartPaths } from './charts.ts';
import { type Helm, helmFor } from './helm.ts';
import { freePort, leadServiceHere } from './local-webhook.ts';
import { fillOlderCluster, held, olderObjects } from './older-cluster.ts';

interface Stored extends KubeObject {
  readonly spec?: object;
}

const kindsOfV1 = [nodePools, nodeClaims, ec2NodeClasses] as readonly Kind<Stored>[];
const inV1 = new Map(kindsOfV1.map((kind) => [kind.kind, kind]));
const inV1beta1 = new Map(kindsOfV1.map((kind) => [kind.kind, { ...kind, version: 'v1beta1' }]));

let world: ChartWorld;
let plane: ControlPlane;
let helm: Helm;

const definitions = (verb: 'install' | 'upgrade', ...values: readonly string[]) =>
  helm(
    verb,
    'karpenter-crd',
    chartPaths.definitions,
    '--namespace=kube-system',
    '--take-ownership',
    ...values.flatMap((value) => ['--set', value]),
  );

const turnedOff = 'conversion.enabled=false';

beforeAll(async () => {
  const port = await freePort();
  const before = async (started: ControlPlane) => {
    plane = started;
    helm = await helmFor(plane.kubeconfigPath);
    await fillOlderCluster(plane);
    await definitions('install', 'conversion.enabled=true', `conversion.servicePort=${port}`);
  };
  world = await chartWorld({ webhook: { enabled: true, conversion: true, port } }, { before });
  await leadServiceHere(world.client);
}, 180_000);

afterAll(async () => {
  await helm.close();
  await world.stop();
}, 60_000);

const named = (map: ReadonlyMap<string, Kind<Stored>>, object: { readonly kind?: unknown }) =>
  map.get(String(object.kind)) as Kind<Stored>;

const specOf = async (kind: Kind<Stored>, name: string) =>
  (await world.client.get(kind, { name })).spec as unknown;

const storedVersions = async (name: string): Promise<readonly string[]> =>
  (await world.client.get(kinds.customResourceDefinition, { name })).status?.storedVersions ?? [];

const kubectl = async (...args: readonly string[]): Promise<void> => {
  const { code, stderr } = await plane.kubectl(args);
  if (code !== 0) throw new Error(`kubectl ${args[0]} failed: ${stderr}`);
};

const labelAll = async (label: string) => {
  for (const kind of kindsOfV1)
    await kubectl('label', `${kind.plural}.v1.${kind.group}`, '--all', '--overwrite', label);
};

describe('the conversion webhook that the charts install on a real control plane', () => {
  it('reads objects as v1 that are stored as v1beta1, before any controller has read them', async () => {
    await world
      .eventually(() => specOf(named(inV1, { kind: 'NodePool' }), 'old'))
      .toMatchObject({
        disruption: {
          consolidationPolicy: 'WhenEmpty',
          consolidateAfter: '30s',
          budgets: [{ nodes: '10%' }],
        },
        template: {
          spec: {
            expireAfter: '24h',
            nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'old' },
          },
        },
      });
    expect(await specOf(named(inV1, { kind: 'EC2NodeClass' }), 'old')).toMatchObject({
      amiSelectorTerms: [{ alias: 'al2023@latest' }],
      metadataOptions: { httpPutResponseHopLimit: 2, httpTokens: 'required' },
    });
    expect(await specOf(named(inV1, { kind: 'NodeClaim' }), 'old')).toMatchObject({ expireAfter: 'Never' });
  }, 120_000);

  it('lets the controllers work with them', async () => {
    await world
      .eventually(async () => (await world.nodePool('old')).metadata.annotations ?? {})
      .toHaveProperty('karpenter.sh/nodepool-hash');
  }, 120_000);

  it.each(olderObjects)('gives back the spec of a $kind as it was written as v1beta1', async (object) => {
    const spec = await specOf(named(inV1beta1, object), 'old');
    expect(spec).toMatchObject(object['spec'] as object);
  });

  it.each(olderObjects)('stores a $kind as v1 that is created as v1beta1', async (object) => {
    const created = { ...object, metadata: { ...held, name: 'created' } } as Stored;
    const { spec } = await world.client.create(named(inV1beta1, object), created as never);
    expect(await specOf(named(inV1beta1, object), 'created')).toEqual(spec);
    expect(await specOf(named(inV1, object), 'created')).toEqual(await specOf(named(inV1, object), 'old'));
  });

  it.each([nodePool, nodeClaim, ec2NodeClass])(
    'changes nothing in a $kind of v1 with every field when it is written as v1beta1',
    async (sample) => {
      const { status: _, ...object } = {
        ...sample,
        metadata: { ...held, name: 'newer' },
      } as never as Stored & {
        readonly status: object;
      };
      const { spec } = await world.client.create(named(inV1, sample), object as never);
      const body = { metadata: { labels: { team: 'a' } } };
      await world.client.patch(named(inV1beta1, sample), { name: 'newer' }, { type: 'merge', body });
      const after = await world.client.get(named(inV1, sample), { name: 'newer' });
      expect(after.spec).toEqual(spec);
      expect(after.metadata?.labels).toMatchObject({ team: 'a' });
      expect(JSON.stringify(after.metadata?.annotations ?? {})).not.toContain('compatibility.');
    },
  );

  it('refuses as v1beta1 what would not be valid as v1, and what v1 forbids to change', async () => {
    const create = (spec: object) =>
      world.client.create(named(inV1beta1, { kind: 'NodePool' }), {
        metadata: { name: 'bad' },
        spec,
      } as never);
    await expect(create({ disruption: {} })).rejects.toThrow('spec.template: Required value');
    const requirements = [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.larg'] }];
    await expect(
      create({ template: { spec: { requirements, nodeClassRef: { name: 'old' } } } }),
    ).rejects.toThrow('no instance type of EC2');
    const merge = (nodeClassRef: object) =>
      world.client.patch(
        named(inV1beta1, { kind: 'NodePool' }),
        { name: 'created' },
        { type: 'merge', body: { spec: { template: { spec: { nodeClassRef } } } } },
      );
    await expect(merge({ apiVersion: 'example.com/v1' })).rejects.toThrow('nodeClassRef.group is immutable');
    await expect(merge({ kind: 'Other' })).rejects.toThrow('nodeClassRef.kind is immutable');
    await merge({ apiVersion: 'karpenter.k8s.aws/v1beta1', kind: 'EC2NodeClass' });
  });

  it('warns whoever uses v1beta1', async () => {
    const { stderr } = await plane.kubectl(['get', 'nodepools.v1beta1.karpenter.sh']);
    expect(stderr).toContain('Warning: karpenter.sh/v1beta1 NodePool is deprecated; use karpenter.sh/v1');
  });

  it('needs no permission beyond the roles of the chart', async () => {
    const requests = await world.requests();
    expect(requests.map(({ what }) => what)).toContain(
      'update apiextensions.k8s.io/customresourcedefinitions',
    );
    expect(requests.filter(({ isAllowed, code }) => !isAllowed || code === 403)).toEqual([]);
  });

  it('keeps v1beta1 served until everything is stored as v1, by the steps of the upgrade notes', async () => {
    for (const name of convertedDefinitions) {
      expect(await storedVersions(name)).toEqual(['v1beta1', 'v1']);
    }
    await expect(definitions('upgrade', turnedOff)).rejects.toThrow(
      'status.storedVersions[0]: Invalid value: "v1beta1": missing from spec.versions',
    );
    const [write, patch] = [
      'karpenter.sh/stored-version-migrated=true',
      '{"status":{"storedVersions":["v1"]}}',
    ];
    await kubectl('annotate', 'nodepools,nodeclaims,ec2nodeclasses', '--all', '--overwrite', write);
    const inStatus = ['--subresource=status', '--type=merge', `--patch=${patch}`];
    await kubectl('patch', 'crd', ...convertedDefinitions, ...inStatus);
    for (const name of convertedDefinitions) expect(await storedVersions(name)).toEqual(['v1']);
  }, 120_000);

  it('is not needed to read and write objects that are stored as v1', async () => {
    await world.stopControllers();
    for (const kind of kindsOfV1) {
      expect((await world.client.list(kind)).items.map(({ metadata }) => metadata?.name)).toContain('old');
    }
    await expect(specOf(named(inV1beta1, { kind: 'NodePool' }), 'old')).rejects.toThrow(
      'conversion webhook for karpenter.sh/v1, Kind=NodePool failed',
    );
    await labelAll('webhook=down');
    await definitions('upgrade', turnedOff);
    await labelAll('webhook=off');
  }, 120_000);
});
