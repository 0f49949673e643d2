import { customResources, type EC2NodeClass, ec2NodeClasses, nodeClaims, nodePools } from '@karpenter/aws';
import { statusConditionControllers } from '@karpenter/controllers';
import { isConditionTrueNow } from '@karpenter/core/api';
import { CacheSet, type WatchCache } from '@karpenter/kube/cache';
import { connect, type KubeClient, kinds, tokenCredentials } from '@karpenter/kube/client';
import { type Runnable, runnableName, systemClock } from '@karpenter/kube/runtime';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ControllerWorld, claimOf, nodeClassOf } from './controller-world.ts';

// Over HTTP, with the client and the caches of production and an API server that validates writes.

const { signal } = new AbortController();
let server: ApiServer;
let client: KubeClient;
let ended: AbortController;
let world: ControllerWorld;
let observers: readonly Runnable[];
let classes: WatchCache<EC2NodeClass>;

beforeAll(async () => {
  server = await startApiServer();
  const credentials = tokenCredentials(server.token);
  client = connect({ server: server.url, ca: server.caPem, credentials }, { userAgent: 'test' });
  for (const { definition } of customResources) {
    await client.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  }
  ended = new AbortController();
  const set = new CacheSet({ client, clock: systemClock, signal: ended.signal });
  classes = set.of(ec2NodeClasses);
  const caches = {
    nodeClasses: classes,
    nodePools: set.of(nodePools),
    nodeClaims: set.of(nodeClaims),
    nodes: set.of(kinds.node),
  };
  world = new ControllerWorld({ cluster: { client, caches } });
  const recorder = { publish: () => {}, flush: async () => {} };
  const { clock, meters, provider, settings } = world;
  observers = statusConditionControllers({
    caches: set,
    clock,
    meters,
    recorder,
    cloud: provider.cloud,
    settings,
  });
  await world.learnTypes();
  await world.start('nodeclass', 'nodeclass.hash');
});

afterAll(async () => {
  await world.stop();
  ended.abort();
  await client.close();
  await server.stop();
});

/** Resolves when the cached NodeClass matches, or is gone. */
function seen(name: string, test: (nodeClass: EC2NodeClass | undefined) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (test(classes.get({ name }))) resolve();
    };
    classes.subscribe(look);
    look();
  });
}

const isReady = (nodeClass: EC2NodeClass | undefined) =>
  nodeClass !== undefined &&
  isConditionTrueNow(
    { conditions: nodeClass.status?.conditions ?? [], generation: nodeClass.metadata.generation ?? 0 },
    'Ready',
  );
const hashKey = 'karpenter.k8s.aws/ec2nodeclass-hash';
const isSettled = (nodeClass: EC2NodeClass | undefined) =>
  isReady(nodeClass) && nodeClass?.metadata.annotations?.[hashKey] !== undefined;

it('makes a NodeClass ready with writes that the API server accepts, and writes nothing that is unchanged', async () => {
  await client.create(ec2NodeClasses, nodeClassOf('default'));
  await seen('default', isSettled);
  const before = await client.get(ec2NodeClasses, { name: 'default' });
  expect(before.metadata.finalizers).toEqual(['karpenter.k8s.aws/termination']);
  expect(before.status?.conditions?.map(({ status }) => status)).toEqual(Array(8).fill('True'));
  expect(before.status?.amis?.[0]?.requirements.length).toBeGreaterThan(0);
  for (const runnable of world.runnables) {
    if ('controller' in runnable && runnable.controller.name.startsWith('nodeclass')) {
      await runnable.controller.reconcile('default', signal);
    }
  }
  const after = await client.get(ec2NodeClasses, { name: 'default' });
  expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  expect(world.outcomes.filter(({ result }) => result === 'error')).toEqual([]);
});

it('removes the finalizer of a deleted NodeClass after its last NodeClaim', async () => {
  const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'short' };
  await client.create(ec2NodeClasses, nodeClassOf('short'));
  await client.create(nodeClaims, claimOf('a', { spec: { ...claimOf('a').spec, nodeClassRef } }));
  await seen('short', isSettled);
  await client.delete(ec2NodeClasses, { name: 'short' });
  await seen('short', (nodeClass) => nodeClass?.metadata.deletionTimestamp !== undefined);
  expect(classes.get({ name: 'short' })?.metadata.finalizers).toEqual(['karpenter.k8s.aws/termination']);
  await client.delete(nodeClaims, { name: 'a' });
  await seen('short', (nodeClass) => nodeClass === undefined);
  const tagged = [...world.cloud.world.launchTemplates.values()].map(({ tags }) =>
    tags.get('karpenter.k8s.aws/ec2nodeclass'),
  );
  expect(tagged).not.toContain('short');
});

it('reports conditions as for every other kind', async () => {
  await client.create(ec2NodeClasses, nodeClassOf('shown'));
  await seen('shown', isSettled);
  const observer = observers.find((each) => runnableName(each) === 'operatorpkg.ec2nodeclass.status');
  if (observer === undefined || !('controller' in observer)) throw new Error('nobody reports EC2NodeClasses');
  await observer.controller.reconcile('shown', signal);
  expect([...world.meters.gauges.keys()]).toEqual(
    expect.arrayContaining([
      'operator_ec2nodeclass_status_condition_count{name="shown",namespace="",reason="Ready",status="True",type="Ready"}',
      'operator_status_condition_count{group="karpenter.k8s.aws",kind="EC2NodeClass",name="shown",namespace="",reason="Ready",status="True",type="Ready"}',
    ]),
  );
});
