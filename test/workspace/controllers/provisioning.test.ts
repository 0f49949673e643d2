import { Batcher, nodeClaims, podTrigger, provisioner } from '@karpenter/controllers';
import { type NodePool, podMetrics, schedulerMetrics } from '@karpenter/core/api';
import {
  type ControllerWorld,
  startControllerWorld,
  type WorldOptions,
} from '@karpenter/testkit/controller-world';
import { instanceType } from '@karpenter/testkit/snapshots';
import { afterEach, describe, expect, it } from 'vitest';
import { createPendingPod, createPool, testPool } from './objects.ts';

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
  const batcher = new Batcher(world.clock, { idle, max });
  world.run(podTrigger(world, batcher), provisioner(world, batcher));
}

const claims = async () => (await world.client.list(nodeClaims)).items;

/** Waits until there are so many NodeClaims. */
async function claimsMade(count: number) {
  return world.until(async () => {
    const found = await claims();
    return found.length >= count ? found : undefined;
  });
}

describe('pods that wait for a node', () => {
  it('get a NodeClaim in the shape that Karpenter writes', async () => {
    const requirements = [
      { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
      { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand', 'spot'] },
    ];
    await begin({}, testPool('default', { requirements }));
    for (const index of [1, 2, 3, 4, 5]) {
      await createPendingPod(world, `inflate-${index}`, { cpu: '1', memory: '1536Mi' });
    }
    const [made] = await claimsMade(1);
    const name = made?.metadata.name;
    expect(await claims()).toHaveLength(1);
    const pool = (await world.planning.snapshot()).nodePools[0];
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
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand', 'spot'] },
          { key: 'karpenter.sh/nodepool', operator: 'In', values: ['default'] },
          { key: 'karpenter.test.sh/testnodeclass', operator: 'In', values: ['default'] },
          { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
          { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
          { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['c.2xlarge', 'c.4xlarge'] },
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
    expect(world.meters.series(schedulerMetrics.queueDepth)).toEqual([]);
  });
});
