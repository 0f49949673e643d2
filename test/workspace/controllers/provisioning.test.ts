import {
  nodeClaims,
  nodePools,
  nodeTrigger,
  ProvisioningBatcher,
  podTrigger,
  provisioner,
  RegistrationHealth,
} from '@karpenter/controllers';
import { type NodePool, podMetrics, schedulerMetrics } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import {
  type ControllerWorld,
  startControllerWorld,
  type WorldOptions,
} from '@karpenter/testkit/controller-world';
import { instanceType } from '@karpenter/testkit/snapshots';
import { afterEach, describe, expect, it } from 'vitest';
import { createBoundPod, createNode, createPendingPod, createPool, noTime, testPool } from './objects.ts';

let world: ControllerWorld;

afterEach(() => world.stop());

const types = [
  instanceType('c.large', { price: 0.1, cpu: '2', memory: '4Gi', capacityTypes: ['on-demand', 'spot'] }),
  instanceType('c.2xlarge', { price: 0.2, cpu: '8', memory: '16Gi', capacityTypes: ['on-demand', 'spot'] }),
  instanceType('c.4xlarge', { price: 0.5, cpu: '16', memory: '32Gi', capacityTypes: ['on-demand', 'spot'] }),
];

async function begin(options: WorldOptions = {}, ...pools: readonly NodePool[]): Promise<void> {
  world = await startControllerWorld({ types, ...options });
  for (const pool of pools) await createPool(world, pool);
  const { batchIdleDuration: idle, batchMaxDuration: max } = world.settings;
  const batcher = new ProvisioningBatcher(world.clock, { idle, max });
  world.run(podTrigger(world, batcher), nodeTrigger(world, batcher), provisioner(world, batcher));
}

const claims = async () => (await world.client.list(nodeClaims)).items;

const deferring =
  'deferring scheduling decision for provisionable pod(s) to future simulation due to limited reserved offering capacity';
const untilLaunched =
  'deferring scheduling decision for provisionable pod(s) until launching nodeclaims leave room within nodepool limits';
const eventsOf = (name: string) => world.recorder.texts.filter((text) => text.includes(`/${name} `));
const terms = (...matchExpressions: { key: string; operator: string }[]) => ({
  requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] },
});

/** Waits until there are `count` NodeClaims. */
async function claimsMade(count: number) {
  return world.until(async () => {
    const found = await claims();
    return found.length >= count ? found : undefined;
  });
}

/** Launches the only NodeClaim, by default as an instance with 8 CPUs, and waits until the cluster state has it. */
async function launchedClaim(amounts = { cpu: '8', memory: '16Gi', pods: '58' }): Promise<string> {
  const [made] = await claimsMade(1);
  const name = made?.metadata.name ?? '';
  const status = { providerID: 'cloud://1', capacity: amounts, allocatable: amounts };
  await world.client.patch(
    nodeClaims,
    { name },
    { type: 'merge', body: { status } },
    { subresource: 'status' },
  );
  await world.until(() => world.cluster.snapshot().nodeStates.length === 1, noTime);
  return name;
}

describe('provisionable pods', () => {
  it('trigger a plan as soon as a NodePool is ready', async () => {
    world = await startControllerWorld({ types });
    const asked: string[] = [];
    world.run(podTrigger(world, { trigger: (uid) => asked.push(uid) }));
    const uid = await createPendingPod(world, 'early');
    await world.until(() => asked.length > 0, noTime);
    const before = asked.length;
    await createPool(world);
    await world.until(() => asked.length > before, noTime);
    expect(new Set(asked)).toEqual(new Set([uid]));
  });

  it('get a NodeClaim with the fields that Karpenter writes', async () => {
    const requirements = [
      { key: 'kubernetes.io/arch', operator: 'In' as const, values: ['amd64'] },
      { key: 'kubernetes.io/os', operator: 'In' as const, values: ['linux'] },
      { key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: ['on-demand', 'spot'] },
    ];
    await begin({}, testPool('default', { requirements }));
    for (const index of [1, 2, 3, 4, 5]) {
      await createPendingPod(world, `inflate-${index}`, { cpu: '1', memory: '1536Mi' });
    }
    const [made] = await claimsMade(1);
    const name = made?.metadata.name;
    expect(await claims()).toHaveLength(1);
    const pool = (await world.planning.refresh()).snapshot.nodePools[0];
    expect(made).toEqual({
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: {
        annotations: {
          'karpenter.sh/nodeclaim-min-values-relaxed': 'false',
          'karpenter.sh/nodepool-hash': expect.stringMatching(/^\d+$/),
          'karpenter.sh/nodepool-hash-version': 'v3',
        },
        creationTimestamp: expect.any(String),
        generateName: 'default-',
        generation: 1,
        labels: { 'karpenter.sh/nodepool': 'default', 'karpenter.test.sh/testnodeclass': 'default' },
        managedFields: expect.any(Array),
        name: expect.stringMatching(/^default-[a-z0-9]{5}$/),
        ownerReferences: [
          {
            apiVersion: 'karpenter.sh/v1',
            blockOwnerDeletion: true,
            kind: 'NodePool',
            name: 'default',
            uid: pool?.metadata.uid,
          },
        ],
        resourceVersion: expect.any(String),
        uid: expect.any(String),
      },
      spec: {
        expireAfter: '720h',
        nodeClassRef: { group: 'karpenter.test.sh', kind: 'TestNodeClass', name: 'default' },
        requirements: [
          { key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: ['on-demand', 'spot'] },
          { key: 'karpenter.sh/nodepool', operator: 'In' as const, values: ['default'] },
          { key: 'karpenter.test.sh/testnodeclass', operator: 'In' as const, values: ['default'] },
          { key: 'kubernetes.io/arch', operator: 'In' as const, values: ['amd64'] },
          { key: 'kubernetes.io/os', operator: 'In' as const, values: ['linux'] },
          {
            key: 'node.kubernetes.io/instance-type',
            operator: 'In' as const,
            values: ['c.2xlarge', 'c.4xlarge'],
          },
        ],
        resources: { requests: { cpu: '5', memory: '7680Mi', pods: '5' } },
      },
    });
    const pods = [1, 2, 3, 4, 5].map((index) => `default/inflate-${index}`).join(', ');
    expect(world.log.lines.map(({ level, message, fields }) => ({ level, message, fields }))).toEqual([
      {
        level: 'debug',
        message: 'computing scheduling decision for provisionable pod(s)',
        fields: { 'pending-pods': 5, 'deleting-pods': 0 },
      },
      {
        level: 'info',
        message: 'found provisionable pod(s)',
        fields: { Pods: pods, duration: expect.any(String) },
      },
      {
        level: 'info',
        message: 'computed new nodeclaim(s) to fit pod(s)',
        fields: { nodeclaims: 1, pods: 5 },
      },
      {
        level: 'info',
        message: 'created nodeclaim',
        fields: {
          NodePool: { name: 'default' },
          NodeClaim: { name },
          requests: { cpu: '5', memory: '7680Mi', pods: '5' },
          'instance-types': 'c.2xlarge, c.4xlarge',
        },
      },
    ]);
    await world.until(() => world.recorder.texts.length === 5);
    expect(world.recorder.texts).toContain(
      `Pod/inflate-1 Nominated: Pod should schedule on: nodeclaim/${name}`,
    );
    expect(world.meters.values(podMetrics.schedulingDecisionDuration)).toHaveLength(5);
    expect(world.meters.values(schedulerMetrics.unschedulablePods, { controller: 'provisioner' })).toEqual([
      0,
    ]);
    expect(world.meters.values(schedulerMetrics.queueDepth)).toEqual([0]);
    expect(world.meters.series(schedulerMetrics.unfinishedWork)).toEqual([]);
    const zones = schedulerMetrics.pendingPodsByEffectiveZone;
    expect(world.meters.values(zones, { controller: 'provisioner', zone: 'flexible' })).toEqual([5]);
  });
});

describe('a pod', () => {
  it('that the kube-scheduler has not marked unschedulable is left alone', async () => {
    await begin({}, testPool());
    await world.client.create(kinds.pod, {
      metadata: { name: 'fresh', namespace: 'default' },
      spec: { containers: [{ name: 'main', image: 'app' }] },
    });
    await createPendingPod(world, 'waiting');
    const [made] = await claimsMade(1);
    expect(made?.spec.resources?.requests).toMatchObject({ pods: '1' });
  });

  it('that requires no NodePool is ignored without an event', async () => {
    await begin({}, testPool());
    const nodeAffinity = terms({ key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' as const });
    await createPendingPod(world, 'opted-out', { affinity: { nodeAffinity } });
    await createPendingPod(world, 'waiting');
    await claimsMade(1);
    expect(world.log.of('ignoring pod')).toContainEqual({
      Pod: { name: 'opted-out', namespace: 'default' },
      error:
        'configured to not run on a Karpenter provisioned node (requirement=karpenter.sh/nodepool DoesNotExist)',
    });
    expect(world.meters.values(schedulerMetrics.ignoredPods)).toEqual([1]);
    expect(eventsOf('opted-out')).toEqual([]);
  });

  it('that requires a hostname is ignored with an event and does not stop the others', async () => {
    await begin({}, testPool());
    const uid = await createPendingPod(world, 'bad', {
      nodeSelector: { 'kubernetes.io/hostname': 'node-1' },
    });
    await createPendingPod(world, 'waiting');
    await claimsMade(1);
    expect(eventsOf('bad')[0]).toMatch(
      /^Pod\/bad FailedScheduling: Failed to schedule pod, using label kubernetes\.io\/hostname is not allowed/,
    );
    expect(world.cluster.state.podTimes(uid)).toMatchObject({ decided: expect.any(Number) });
    expect(world.cluster.state.podTimes(uid)?.schedulable).toBeUndefined();
  });

  it('that claims devices counts as unschedulable', async () => {
    await begin({}, testPool());
    const resourceClaims = [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }];
    await createPendingPod(world, 'devices', { resourceClaims } as Parameters<typeof createPendingPod>[2]);
    await world.until(() => eventsOf('devices').length > 0);
    expect(eventsOf('devices')[0]).toBe(
      'Pod/devices FailedScheduling: Failed to schedule pod, pod has Dynamic Resource Allocation requirements that are not yet supported by Karpenter',
    );
    expect(world.meters.values(schedulerMetrics.unschedulablePods)).toEqual([1]);
    expect(world.meters.values(schedulerMetrics.ignoredPods)).toEqual([0]);
  });

  it('that fits nowhere gets an event with the reason, and the others get their node', async () => {
    await begin({}, testPool());
    const uid = await createPendingPod(world, 'huge', { cpu: '100' });
    await createPendingPod(world, 'waiting');
    await claimsMade(1);
    await world.until(() => eventsOf('huge').length > 0);
    const message = expect.stringContaining('no instance type has enough resources');
    expect(world.log.of('could not schedule pod')[0]).toEqual({
      Pod: { name: 'huge', namespace: 'default' },
      error: message,
    });
    expect(eventsOf('huge')[0]).toMatch(
      /^Pod\/huge FailedScheduling: Failed to schedule pod, no instance type/,
    );
    expect(world.meters.values(schedulerMetrics.unschedulablePods)).toEqual([1]);
    expect(world.cluster.state.podTimes(uid)?.schedulable).toBeUndefined();
  });

  it('is planned for once, even while its NodeClaim is launching and after', async () => {
    await begin({}, testPool());
    const uid = await createPendingPod(world, 'waiting');
    const [made] = await claimsMade(1);
    await world.clock.advance(60_000);
    await createPendingPod(world, 'another');
    const both = await claimsMade(2);
    expect(both).toHaveLength(2);
    expect(world.cluster.state.podTimes(uid)).toMatchObject({ nodeClaim: made?.metadata.name });
  });

  it('is nominated by every pass to the node created for it until it is bound', async () => {
    await begin({}, testPool());
    await createPendingPod(world, 'waiting');
    const name = await launchedClaim();
    const promises = () =>
      eventsOf('waiting').filter((text) => text.endsWith(`Pod should schedule on: nodeclaim/${name}`)).length;
    const before = promises();
    await world.clock.advance(30_000);
    await world.until(() => promises() >= before + 2);
    expect(await claims()).toHaveLength(1);
    expect(world.log.of('computing scheduling decision for provisionable pod(s)')).toHaveLength(1);
  });

  it('stays on the uninitialized node that a pass placed it on and is not planned for again', async () => {
    await begin({}, testPool());
    await createPendingPod(world, 'waiting');
    const name = await launchedClaim();
    await createPendingPod(world, 'another');
    const held = () => world.cluster.snapshot().heldPods;
    await world.until(() => held().length === 2);
    expect(held().map(({ pod, cause, nodeClaim }) => [pod.metadata.name, cause, nodeClaim])).toEqual([
      ['another', 'expected', name],
      ['waiting', 'expected', name],
    ]);
    expect(await claims()).toHaveLength(1);
  });

  it('triggers a plan every ten seconds while it is provisionable', async () => {
    await begin({}, testPool());
    await createPendingPod(world, 'huge', { cpu: '100' });
    await world.until(() => eventsOf('huge').length > 0);
    const before = eventsOf('huge').length;
    await world.clock.advance(30_000);
    await world.until(() => eventsOf('huge').length >= before + 2);
    await world.client.delete(kinds.pod, { namespace: 'default', name: 'huge' }, { gracePeriodSeconds: 0 });
    await world.until(() => world.cluster.snapshot().pendingPods.length === 0, noTime);
    await world.clock.advance(20_000);
    const after = eventsOf('huge').length;
    await world.clock.advance(60_000);
    expect(eventsOf('huge')).toHaveLength(after);
  });

  it('whose preferences may prevent consolidation is logged once a day', async () => {
    await begin({}, testPool());
    const labelSelector = { matchLabels: { app: 'a' } };
    const topologySpreadConstraints = [
      {
        maxSkew: 1,
        topologyKey: 'topology.kubernetes.io/zone',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector,
      },
    ];
    const podAffinityTerm = { topologyKey: 'kubernetes.io/hostname', labelSelector };
    const podAntiAffinity = {
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm }],
    };
    const parts = { cpu: '100', topologySpreadConstraints, affinity: { podAntiAffinity } };
    await createPendingPod(world, 'soft', parts);
    await world.until(() => eventsOf('soft').length > 1);
    const pods = { pods: 'default/soft' };
    expect(world.log.of('pod(s) have a preferred Anti-Affinity which can prevent consolidation')).toEqual([
      pods,
    ]);
    expect(
      world.log.of('pod(s) have a preferred TopologySpreadConstraint which can prevent consolidation'),
    ).toEqual([pods]);
  });

  it('whose NodeClaim would not satisfy minValues gets an event, and no NodeClaim is created', async () => {
    const family = 'example.com/family';
    const many = Array.from({ length: 601 }, (_, index) =>
      instanceType(`t${String(index).padStart(3, '0')}`, {
        price: 0.1 + index / 10_000,
        labels: { [family]: index < 600 ? 'common' : 'rare' },
      }),
    );
    const requirements = [{ key: family, operator: 'Exists' as const, minValues: 2 }];
    const varied = testPool('default', { requirements });
    await begin({ types: many, wellKnownLabels: [family] }, varied);
    await createPendingPod(world, 'waiting');
    await world.until(() => eventsOf('waiting').length > 0);
    expect(eventsOf('waiting')[0]).toBe(
      'Pod/waiting FailedScheduling: Failed to schedule pod, pod didn’t schedule because NodePool couldn’t meet minValues requirements, validating minValues, minValues requirement is not met for label(s) (label(s)=[example.com/family]) (NodePool=default)',
    );
    expect(await claims()).toEqual([]);
  });

  it('that arrives within the batch window shares the NodeClaim', async () => {
    await begin({}, testPool());
    await createPendingPod(world, 'first');
    await createPendingPod(world, 'second');
    const made = await claimsMade(1);
    expect(made.map(({ spec }) => spec.resources?.requests?.['pods'])).toEqual(['2']);
  });

  it('that could use a reservation promised to others is deferred without an event', async () => {
    const reserved = instanceType('r.large', {
      price: 1,
      cpu: '2',
      reservations: [{ id: 'cr-1', capacity: 1 }],
    });
    const label = 'karpenter.k8s.aws/capacity-reservation-id';
    await begin({ types: [reserved], wellKnownLabels: [label], reservationIdLabel: label }, testPool());
    await createPendingPod(world, 'one', { cpu: '1500m' });
    await createPendingPod(world, 'two', { cpu: '1500m' });
    const made = await claimsMade(1);
    expect(made).toHaveLength(1);
    await world.until(() => world.log.of(deferring).length > 0);
    expect(world.log.of(deferring)[0]).toEqual({ Pods: expect.stringMatching(/^default\/(one|two)$/) });
    expect(world.recorder.texts.filter((text) => text.includes('FailedScheduling'))).toEqual([]);
    expect(world.meters.values(schedulerMetrics.unschedulablePods)).toEqual([0]);
  });
});

describe('a pod for which a launching NodeClaim may leave no room within limits', () => {
  it('waits without an event, and gets its node when the claim is launched', async () => {
    await begin({}, testPool('default', { limits: { cpu: '16' } }));
    await createPendingPod(world, 'first', { cpu: '1' });
    await claimsMade(1);
    await createPendingPod(world, 'second', { cpu: '2' });
    await world.until(() => world.log.of(untilLaunched).length > 0);
    expect(world.log.of(untilLaunched)[0]).toEqual({ Pods: 'default/second' });
    expect(eventsOf('second')).toEqual([]);
    expect(world.log.of('could not schedule pod')).toEqual([]);
    await launchedClaim({ cpu: '2', memory: '4Gi', pods: '29' });
    expect(await claimsMade(2)).toHaveLength(2);
  });

  it('gets the event if what the claim needs leaves no room either', async () => {
    await begin({}, testPool('default', { limits: { cpu: '16' } }));
    await createPendingPod(world, 'first', { cpu: '15' });
    await claimsMade(1);
    await createPendingPod(world, 'second', { cpu: '15' });
    await launchedClaim({ cpu: '16', memory: '32Gi', pods: '58' });
    await world.until(() => eventsOf('second').length > 0);
    expect(eventsOf('second')[0]).toMatch(/all available instance types exceed limits for nodepool/);
  });
});

describe('an existing node', () => {
  it('with room is nominated for its pods, and no NodeClaim is created', async () => {
    await begin({}, testPool());
    await createNode(world, 'node-1');
    await createPendingPod(world, 'waiting');
    await world.until(() => eventsOf('waiting').length > 0);
    expect(eventsOf('waiting')[0]).toBe(
      'Pod/waiting Nominated: Pod should schedule on: nodeclaim/node-1-claim, node/node-1',
    );
    const [state] = world.cluster.snapshot().nodeStates;
    expect((state?.nominatedUntil ?? 0) - world.clock.now()).toBeGreaterThan(0);
    expect((state?.nominatedUntil ?? 0) - world.clock.now()).toBeLessThanOrEqual(20_000);
    expect((await claims()).map(({ metadata }) => metadata.name)).toEqual(['node-1-claim']);
    expect(world.log.of('found provisionable pod(s)')).toEqual([]);
  });

  it('is logged beside new NodeClaims', async () => {
    await begin({}, testPool());
    await createNode(world, 'node-1');
    await createPendingPod(world, 'small', { cpu: '3' });
    await createPendingPod(world, 'large', { cpu: '8' });
    await claimsMade(2);
    expect(world.log.of('computed new nodeclaim(s) to fit pod(s)')).toEqual([{ nodeclaims: 1, pods: 1 }]);
    expect(world.log.of('computed unready node(s) will fit pod(s)')).toEqual([{ nodes: 1, pods: 1 }]);
  });

  it('that is being disrupted has its pods planned for elsewhere although none is pending', async () => {
    await begin({}, testPool());
    await createNode(world, 'node-1');
    await createBoundPod(world, 'moving', 'node-1');
    await world.until(() => world.cluster.snapshot().nodeStates.some(({ pods }) => pods.length === 1));
    const [node] = world.cluster.snapshot().nodeStates;
    world.cluster.learn({ type: 'markedForDeletion', nodes: [node?.id ?? ''] });
    const body = { spec: { taints: [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }] } };
    await world.client.patch(kinds.node, { name: 'node-1' }, { type: 'merge', body });
    await claimsMade(2);
    expect(world.log.of('computing scheduling decision for provisionable pod(s)')[0]).toEqual({
      'pending-pods': 0,
      'deleting-pods': 1,
    });
  });
});

describe('a NodePool', () => {
  it('that is not ready is skipped, and without another NodePool no pod gets FailedScheduling', async () => {
    world = await startControllerWorld({ types });
    const { client, clock } = world;
    await client.create(nodePools, testPool());
    const batcher = new ProvisioningBatcher(clock, { idle: 1000, max: 10_000 });
    world.run(podTrigger(world, batcher), provisioner(world, batcher));
    const uid = await createPendingPod(world, 'waiting');
    await world.until(() => world.log.of('no dynamic nodepools found').length > 0);
    expect(world.log.of('ignoring nodepool, not ready')[0]).toEqual({ NodePool: { name: 'default' } });
    expect(world.recorder.texts).toEqual([]);
    expect(world.cluster.state.podTimes(uid)).toMatchObject({ decided: expect.any(Number) });
  });

  it('whose instance types cannot be listed does not hold up the others', async () => {
    await begin({}, testPool('broken', { weight: 100 }), testPool('good'));
    const { instanceTypes } = world.cloud;
    world.cloud.instanceTypes = async (pool) => {
      if (pool.metadata.name === 'broken') throw new Error('no answer');
      return instanceTypes.call(world.cloud, pool);
    };
    await createPendingPod(world, 'waiting');
    const [made] = await claimsMade(1);
    expect(made?.metadata.labels).toMatchObject({ 'karpenter.sh/nodepool': 'good' });
    expect(world.log.of('skipping, unable to resolve instance types')[0]).toEqual({
      NodePool: { name: 'broken' },
      error: 'no answer',
    });
    expect(eventsOf('broken')[0]).toBe(
      'NodePool/broken NoCompatibleInstanceTypes: NodePool requirements filtered out all compatible available instance types',
    );
  });

  it('without instance types is skipped and logged', async () => {
    await begin({}, testPool('empty'), testPool('good'));
    world.cloud.typesOfPool.set('empty', []);
    await createPendingPod(world, 'waiting');
    await claimsMade(1);
    expect(world.log.of('skipping, no resolved instance types found')[0]).toEqual({
      NodePool: { name: 'empty' },
    });
    expect(eventsOf('empty')).toHaveLength(1);
  });

  it('whose requirements leave no instance type, or too few for minValues, gets an event', async () => {
    const key = 'node.kubernetes.io/instance-type';
    await begin(
      {},
      testPool('none', { requirements: [{ key, operator: 'In' as const, values: ['x.large'] }] }),
      testPool('few', { requirements: [{ key, operator: 'Exists' as const, minValues: 50 }] }),
      testPool('good'),
    );
    await createPendingPod(world, 'waiting');
    await claimsMade(1);
    const text = 'NodePool requirements filtered out all compatible available instance types';
    expect(eventsOf('none')[0]).toBe(`NodePool/none NoCompatibleInstanceTypes: ${text}`);
    expect(eventsOf('few')[0]).toBe(
      `NodePool/few NoCompatibleInstanceTypes: ${text} due to minValues incompatibility`,
    );
    expect(world.log.of('skipping, nodepool requirements filtered out all instance types')).toHaveLength(2);
  });

  it('with more weight comes first, and of equal weight the one whose name sorts last', async () => {
    await begin({}, testPool('a'), testPool('z'), testPool('light'), testPool('b'));
    await createPendingPod(world, 'waiting');
    const [first] = await claimsMade(1);
    expect(first?.metadata.labels?.['karpenter.sh/nodepool']).toBe('z');
    await createPool(world, testPool('heavy', { weight: 1 }));
    await createPendingPod(world, 'another');
    const both = await claimsMade(2);
    expect(both.map(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'])).toContain('heavy');
  });

  it('with unhealthy registration still gets nodes', async () => {
    await begin({}, testPool());
    const health = new RegistrationHealth(world);
    for (let times = 0; times < 2; times += 1) {
      await health.record(await world.client.get(nodePools, { name: 'default' }), { result: 'failure' });
    }
    const uid = await createPendingPod(world, 'waiting');
    await claimsMade(1);
    await world.until(() => world.cluster.state.podTimes(uid)?.schedulable !== undefined, noTime);
    expect(world.cluster.state.podTimes(uid)?.healthySchedulable).toBeUndefined();
  });

  it('of another cloud provider is ignored', async () => {
    const nodeClassRef = { group: 'other.example.com', kind: 'Other', name: 'default' };
    const { spec, ...foreign } = testPool('foreign', { weight: 100 });
    const template = { ...spec.template, spec: { ...spec.template.spec, nodeClassRef } };
    await begin({}, { ...foreign, spec: { ...spec, template } }, testPool('ours'));
    await createPendingPod(world, 'waiting');
    const [made] = await claimsMade(1);
    expect(made?.metadata.labels?.['karpenter.sh/nodepool']).toBe('ours');
    expect(world.cloud.callsOf('instanceTypes')).not.toContain('foreign');
  });
});

describe('a NodeClaim that cannot be created', () => {
  it('is logged, and its pods get another when they trigger again', async () => {
    await begin({}, testPool());
    const { client } = world;
    const create = client.create.bind(client);
    let refusals = 1;
    client.create = async (kind, object, options) => {
      if (kind.plural === 'nodeclaims' && refusals > 0) {
        refusals -= 1;
        throw new Error('a webhook refused it');
      }
      return create(kind, object, options);
    };
    const uid = await createPendingPod(world, 'waiting');
    const [made] = await claimsMade(1);
    expect(world.log.of('failed creating nodeclaim')).toEqual([
      { NodePool: { name: 'default' }, error: 'a webhook refused it' },
    ]);
    await world.until(() => world.cluster.state.podTimes(uid)?.nodeClaim === made?.metadata.name, noTime);
    expect(world.errors).toEqual([]);
  });
});

describe('a pass under a deadline', () => {
  it('creates NodeClaims round by round, and plans for no pod twice', async () => {
    world = await startControllerWorld({ types });
    await createPool(world);
    let asked = 0;
    const clock = {
      now: () => {
        asked += 1;
        return world.clock.now() + asked * 100;
      },
      monotonic: world.clock.monotonic.bind(world.clock),
      sleep: world.clock.sleep.bind(world.clock),
    };
    const names = Array.from({ length: 40 }, (_, index) => `pod-${index}`);
    for (const [index, name] of names.entries()) {
      await createPendingPod(world, name, { cpu: `${500 + index}m`, labels: { app: name } });
    }
    const batcher = new ProvisioningBatcher(world.clock, { idle: 1000, max: 10_000 });
    world.run(podTrigger(world, batcher), provisioner({ ...world, clock }, batcher));
    await world.until(() => world.recorder.texts.filter((text) => text.includes('Nominated')).length >= 40);
    expect(world.log.of('scheduling simulation timed out').length).toBeGreaterThan(0);
    const nominated = world.recorder.published.map(({ object }) => object.metadata?.name);
    expect(new Set(nominated)).toEqual(new Set(names));
    expect(nominated).toHaveLength(40);
    const pods = (await claims()).map(({ spec }) => Number(spec.resources?.requests?.['pods']));
    expect(pods.reduce((sum, count) => sum + count, 0)).toBe(40);
  });
});
