import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodePools } from '@karpenter/controllers';
import { isConditionTrue, type NodePool } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import { rounds } from '@karpenter/testkit/rounds';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { passQuietly } from '../../walkthroughs/quiet-pass.ts';
import { type CloudWorld, embeddedWorld } from '../../walkthroughs/world.ts';
import { inSmallRegion } from '../crash/small-region.ts';

// Stops a cluster and starts it again on its data directory, with its simulated account: what was in progress
// continues, and what was stable does not change.

let dataDir: string;
let world: CloudWorld | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'karpenter-restart-'));
});

afterEach(async () => {
  await world?.stop();
  world = undefined;
  await rm(dataDir, { recursive: true, force: true });
});

const replicas = 20;
const maxSteps = 600;
const minute = 60_000;

/** Disruption is off, so that only the restart can change something. */
const pool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: {
    template: {
      spec: {
        expireAfter: '8760h',
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
          { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] },
          { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Lt', values: ['9'] },
        ],
      },
    },
    disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never', budgets: [{ nodes: '0' }] },
  },
};

async function start(startAt?: number): Promise<CloudWorld> {
  const started = await embeddedWorld({
    dataDir,
    // Each start resolves all instance types of the region, which these tests do not depend on.
    seenAs: inSmallRegion,
    ...(startAt !== undefined && { startAt }),
  });
  world = started;
  return started;
}

/** A cluster with pending pods that are about to get nodes. */
async function scaled(): Promise<CloudWorld> {
  const begun = await start();
  await begun.apply('01-first-node/nodeclass.yaml');
  await begun.client.create(nodePools, pool);
  await until(begun, () => isPoolReady(begun));
  await begun.apply('01-first-node/inflate.yaml');
  await begun.scale('inflate', replicas);
  return begun;
}

/** Advances virtual time, in steps shorter than the grace period of node heartbeats. */
async function pass(on: CloudWorld, milliseconds: number): Promise<void> {
  const stepMs = Math.min(2_000, milliseconds);
  for (let passed = 0; passed < milliseconds; passed += stepMs) await passQuietly(on, stepMs);
}

async function until(on: CloudWorld, isTrue: () => Promise<boolean>): Promise<void> {
  for (let steps = 0; !(await isTrue()); steps += 1) {
    if (steps === maxSteps) throw new Error('it did not happen within five minutes of virtual time');
    await passQuietly(on);
  }
}

async function isPoolReady(on: CloudWorld): Promise<boolean> {
  const { status } = await on.nodePool('default');
  return isConditionTrue({ conditions: status?.conditions ?? [] }, 'Ready');
}

async function restarted(from: CloudWorld, downMs: number): Promise<CloudWorld> {
  await from.stop();
  world = undefined;
  // Time has passed until it stopped, and does not go back.
  return start(from.now() + downMs);
}

const areRunning = async (on: CloudWorld) =>
  (await on.pods('inflate')).filter(({ status }) => status?.phase === 'Running').length === replicas;

const areInitialized = async (on: CloudWorld) =>
  (await on.nodeClaims()).every(({ status }) =>
    isConditionTrue({ conditions: status?.conditions ?? [] }, 'Initialized'),
  );

const instanceIds = ({ cloud }: CloudWorld) =>
  [...cloud.world.instances.values()].filter(({ state }) => state !== 'terminated').map(({ id }) => id);

const claimedIds = async (on: CloudWorld) =>
  (await on.nodeClaims()).map(({ status }) => status?.providerID?.split('/').at(-1) ?? '');

const errors = ({ log }: CloudWorld) => log.filter(({ level }) => level !== 'DEBUG' && level !== 'INFO');
const created = ({ log }: CloudWorld) => log.filter(({ message }) => message === 'created nodeclaim').length;

/** Everything that must not change without a reason. */
async function stableState(on: CloudWorld) {
  const { items: nodes } = await on.client.list(kinds.node);
  return {
    instances: [...on.cloud.world.instances.values()].map(({ id, state, tags }) => [id, state, [...tags]]),
    images: [...on.cloud.world.images.keys()],
    parameters: [...on.cloud.world.parameters.values()],
    nodes: nodes.map(({ metadata, spec, status }) => ({
      uid: metadata?.uid,
      labels: metadata?.labels,
      taints: spec?.taints,
      capacity: status?.capacity,
      conditions: status?.conditions?.map(({ type, status: is, lastTransitionTime }) => [
        type,
        is,
        lastTransitionTime,
      ]),
    })),
    pods: (await on.pods('inflate')).map(({ metadata, spec, status }) => ({
      uid: metadata?.uid,
      node: spec?.nodeName,
      status,
    })),
    claims: (await on.nodeClaims()).map(({ metadata, status }) => ({
      uid: metadata?.uid,
      deletionTimestamp: metadata?.deletionTimestamp,
      providerID: status?.providerID,
      conditions: status?.conditions,
    })),
  };
}

/** Times into a scale-out: while NodeClaims are created, instances boot, and nodes register; then those between. */
const interruptions = [1_500, 7_000, 14_000, 500, 3_000, 11_000];

describe('a cluster restarted on its data directory', () => {
  it.each(interruptions.slice(0, rounds({ quick: 3, full: interruptions.length })))(
    'continues a scale-out that began %i ms ago: same instances, no errors, nothing launched twice',
    async (underWayMs) => {
      const before = await scaled();
      await pass(before, underWayMs);
      const launched = instanceIds(before);
      const after = await restarted(before, 2_000);
      await until(after, () => areRunning(after));
      await until(after, () => areInitialized(after));
      const claims = await after.nodeClaims();
      expect(errors(after)).toEqual([]);
      expect(instanceIds(after)).toEqual(expect.arrayContaining(launched));
      expect(instanceIds(after)).toHaveLength(claims.length);
      expect(created(before) + created(after)).toBe(claims.length);
    },
    180_000,
  );

  it.each([
    ['short', 1_000, 2 * minute],
    ['longer than the node grace period', 10 * minute, 2 * minute],
    // As long as it takes until NodeClaims are checked for drift again.
    ['days, in which images were released', 3 * 24 * 60 * minute, 5 * minute],
  ])(
    'is unchanged after downtime (%s): same nodes, still ready, pods not restarted, no drift',
    async (_, downMs, watchedMs) => {
      const before = await scaled();
      await until(before, () => areRunning(before));
      await until(before, () => areInitialized(before));
      await pass(before, minute);
      const expected = await stableState(before);
      const after = await restarted(before, downMs);
      await pass(after, watchedMs);
      expect(await stableState(after)).toEqual(expected);
      expect(errors(after)).toEqual([]);
      expect(await after.events('NodeNotReady')).toEqual([]);
      expect(created(after)).toBe(0);
    },
    180_000,
  );

  it('replaces the node of an instance that was shutting down when it stopped', async () => {
    const before = await scaled();
    await until(before, () => areRunning(before));
    const [id = ''] = instanceIds(before);
    before.cloud.terminate(id);
    const after = await restarted(before, 3 * minute);
    expect(after.cloud.world.instances.get(id)?.state).toBe('terminated');
    await until(after, async () => !(await claimedIds(after)).includes(id));
    await until(after, () => areRunning(after));
    expect((await claimedIds(after)).sort()).toEqual([...instanceIds(after)].sort());
    expect(errors(after)).toEqual([]);
  }, 180_000);
});
