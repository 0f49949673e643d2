import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ec2NodeClasses } from '@karpenter/aws';
import { isConditionTrue } from '@karpenter/core/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsCommand } from '../walkthroughs/faults-command.ts';
import { applyObjects, manifestsIn } from '../walkthroughs/manifests.ts';
import { running } from '../walkthroughs/pods.ts';
import { type CloudWorld, embeddedWorld } from '../walkthroughs/world.ts';

/** Each file has an EC2NodeClass, a NodePool and a Deployment of its name, and shows one feature. */
const directory = join(import.meta.dirname, '../examples');
const names = readdirSync(directory).map((file) => basename(file, '.yaml'));
const textOf = (name: string) => readFileSync(join(directory, `${name}.yaml`), 'utf8');

/** Applied together, because the nodes of one group then start at the same time. */
const groups = Array.from({ length: Math.ceil(names.length / 8) }, (_, index) => {
  const members = names.slice(index * 8, index * 8 + 8);
  return { first: members[0] ?? '', members };
});

let world: CloudWorld;

beforeAll(async () => {
  world = await embeddedWorld({ flags: { 'feature-gates': 'StaticCapacity=true' } });
});

afterAll(() => world.stop());

describe('the example manifests', () => {
  it('are at least thirty', () => {
    expect(names.length).toBeGreaterThanOrEqual(30);
  });

  describe.each(groups)('from $first on', ({ members }) => {
    beforeAll(async () => {
      for (const name of members) await applyExample(name);
    });

    it.each(members)('%s are applied, become ready, and their workload runs', async (name) => {
      await world.eventually(() => readiness(name)).toEqual({ nodeClass: true, nodePool: true });
      await world.eventually(() => running(world, name)).toBe(2);
      expect(await poolsOf(name)).toEqual(new Set([name]));
    });
  });

  it('launch instances in the placement group, and with the instance profile, that they name', () => {
    const [racks] = world.cloud.world.placementGroups.values();
    expect(racks?.name).toBe('racks');
    expect(launchedFor('placement-group').map(({ placement }) => placement.groupId)).toContain(racks?.id);
    expect(launchedFor('instance-profile').map(({ profileName }) => profileName)).toContain('managed-nodes');
  });

  it.each([
    ['NodePool', 'karpenter.sh/v1beta1', 'v1beta1'],
    ['EC2NodeClass', 'karpenter.k8s.aws/v1beta1', 'v1beta1'],
  ])('of %s in %s get a hint at karpenter convert', async (kind, apiVersion, version) => {
    const objects = manifestsIn(textOf('al2023-latest')).filter((object) => object.kind === kind);
    expect(objects[0]?.apiVersion).not.toContain(version);
    await expect(
      applyObjects(
        world.client,
        objects.map((object) => ({ ...object, apiVersion })),
      ),
    ).rejects.toThrow('karpenter convert -f');
  });

  it('say which alias they cannot find', async () => {
    const text = textOf('al2023-pinned')
      .replaceAll('al2023-pinned', 'lost')
      .replace('v20240807', 'v20190101');
    await applyObjects(world.client, manifestsIn(text));
    const message = 'AMISelector did not match any AMIs (alias=al2023@v20190101, kubernetes-version=1.36)';
    await world
      .eventually(async () =>
        condition(await world.client.get(ec2NodeClasses, { name: 'lost' }), 'AMIsReady'),
      )
      .toMatchObject({ status: 'False', reason: 'AMINotFound', message });
  });
});

/** Does first what the file says in a comment, and fills in the cluster, as `envsubst` does. */
async function applyExample(name: string): Promise<void> {
  const text = textOf(name);
  for (const [, words = ''] of text.matchAll(/^# +karpenter faults (.*)$/gm))
    await faultsCommand(world.kubeconfig, words.split(' '));
  const { endpoint, certificateAuthority } = world.cloud.world.cluster;
  const filled = text
    .replaceAll('$CLUSTER_ENDPOINT', endpoint)
    .replaceAll('$CLUSTER_CA', certificateAuthority);
  await applyObjects(world.client, manifestsIn(filled));
}

interface Conditioned {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

function condition({ status }: Conditioned, type: string): object | undefined {
  return status?.conditions?.find((each) => each.type === type);
}

async function readiness(name: string) {
  const nodeClass = await world.client.get(ec2NodeClasses, { name });
  const nodePool = await world.nodePool(name);
  return {
    nodeClass: isConditionTrue({ conditions: nodeClass.status?.conditions ?? [] }, 'Ready'),
    nodePool: isConditionTrue({ conditions: nodePool.status?.conditions ?? [] }, 'Ready'),
  };
}

/** The instances of a NodePool. */
function launchedFor(nodePool: string) {
  const instances = [...world.cloud.world.instances.values()];
  return instances.filter(({ tags }) => tags.get('karpenter.sh/nodepool') === nodePool);
}

/** The NodePools of the nodes that run the pods of an app. */
async function poolsOf(app: string): Promise<ReadonlySet<string | undefined>> {
  const nodes = new Map((await world.nodes()).map(({ metadata }) => [metadata?.name, metadata?.labels]));
  const pods = await world.pods(app);
  return new Set(pods.map(({ spec }) => nodes.get(spec?.nodeName)?.['karpenter.sh/nodepool']));
}
