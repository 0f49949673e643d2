import {
  InterruptionHandler,
  RebalanceController,
  ReservationCounts,
  UnavailableOfferings,
} from '@karpenter/aws';
import { minutes, type NodeClaim, type NodePool, seconds } from '@karpenter/core/api';
import { runSingleton } from '@karpenter/kube/runtime';
import { VirtualClock } from '@karpenter/testkit/clock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimOf, MemoryCluster, nodeOf } from './memory-cluster.ts';

const pool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: {
    disruption: { budgets: [], consolidateAfter: '0s', consolidationPolicy: 'WhenEmpty' },
    template: {
      spec: {
        requirements: [],
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        expireAfter: '720h',
      },
    },
  },
};

let clock: VirtualClock;
let cluster: MemoryCluster;
let unavailable: UnavailableOfferings;
let handler: InterruptionHandler;
let running: AbortController;

beforeEach(() => {
  clock = new VirtualClock();
  cluster = new MemoryCluster(clock);
  cluster.nodePools.set(pool);
  running = new AbortController();
  const now = () => clock.now();
  unavailable = new UnavailableOfferings({ now });
  const { client, claims, nodePools, interrupted, counters, log } = cluster;
  const controller = new RebalanceController({
    client,
    claims,
    nodePools,
    cluster: interrupted,
    unavailable,
    perHour: 2,
    clock,
    counters,
    log,
  });
  handler = new InterruptionHandler({
    cluster: interrupted,
    unavailable,
    reservations: new ReservationCounts(now),
    log,
    onRebalance: (each) => controller.notice(each),
  });
  void runSingleton(controller, { clock, signal: running.signal });
});

afterEach(() => running.abort());

async function recommend(...names: readonly string[]): Promise<void> {
  await handler.handle(
    'rebalance_recommendation',
    names.map((name) => `i-${name}`),
  );
  await clock.advance(seconds(5));
}

/** Names of the requested replacements, in order. */
function replacements(): readonly string[] {
  return cluster.writes.filter((write) => write.startsWith('create ')).map((write) => write.slice(7));
}

function show(name: string, status: 'True' | 'Unknown'): void {
  const condition = {
    type: 'Ready',
    status,
    reason: 'Ready',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  };
  cluster.claims.set({ ...claimOf(name), status: { conditions: [condition] } });
}

function leave(claim: NodeClaim): void {
  const metadata = { ...claim.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
  cluster.claims.set({ ...claim, metadata });
}

describe('with the policy Replace, a recommendation', () => {
  it('creates a replacement and deletes the old NodeClaim only when the replacement is ready', async () => {
    cluster.claims.set(claimOf('a'));
    cluster.nodes.set(nodeOf('a'));
    await recommend('a');
    const [replacement = ''] = replacements();
    show(replacement, 'Unknown');
    await clock.advance(minutes(2));
    expect(cluster.writes).toEqual([`create ${replacement}`]);
    show(replacement, 'True');
    await clock.advance(seconds(20));
    expect(cluster.writes).toEqual([`create ${replacement}`, 'delete a']);
    expect(cluster.events.at(-1)).toBe(
      'Node node-a TerminatingOnInterruption: Interruption triggered termination for the Node',
    );
    const disrupted = 'karpenter_nodeclaims_disrupted_total rebalance_recommendation default spot';
    expect(cluster.counts.get(disrupted)).toBe(1);
  });

  it('copies the requirements of the old NodeClaim, not its instance', async () => {
    const claim = claimOf('a', { team: 'shop', 'karpenter.k8s.aws/instance-family': 'm5' });
    const annotations = { 'karpenter.sh/nodepool-hash': '1', 'karpenter.k8s.aws/tagged': 'true' };
    const ownerReferences = [
      { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name: 'default', uid: 'pool' },
    ];
    cluster.claims.set({ ...claim, metadata: { ...claim.metadata, annotations, ownerReferences } });
    await recommend('a');
    const [replacement = ''] = replacements();
    expect(replacement).toMatch(/^default-[0-9a-f]{8}$/);
    expect(cluster.created.get(replacement)).toEqual({
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: {
        name: replacement,
        labels: { 'karpenter.sh/nodepool': 'default', team: 'shop' },
        annotations: { 'karpenter.sh/nodepool-hash': '1', 'karpenter.k8s.aws/rebalance-of': 'a' },
        ownerReferences,
      },
      spec: claim.spec,
    });
  });

  it('excludes the offering at risk from the replacement', async () => {
    cluster.claims.set(claimOf('a'));
    await recommend('a');
    const offering = { instanceType: 'm5.large', zone: 'us-east-1a', capacityType: 'spot' } as const;
    expect(unavailable.isUnavailable(offering)).toBe(true);
  });

  it('is dropped with its replacement if the notice expires first', async () => {
    cluster.claims.set(claimOf('a'));
    await recommend('a');
    const [replacement = ''] = replacements();
    show(replacement, 'Unknown');
    await clock.advance(minutes(14));
    expect(cluster.writes).toHaveLength(1);
    await clock.advance(minutes(1));
    expect(cluster.writes[1]).toBe(`delete ${replacement}`);
    cluster.claims.remove(replacement);
    await clock.advance(minutes(10));
    expect(cluster.writes.filter((write) => write === 'delete a')).toEqual([]);
    expect(replacements()).toEqual([replacement]);
  });

  it('ends when the node is interrupted meanwhile, and keeps the replacement for its pods', async () => {
    cluster.claims.set(claimOf('a'));
    await recommend('a');
    const [replacement = ''] = replacements();
    show(replacement, 'Unknown');
    leave(claimOf('a'));
    await clock.advance(minutes(30));
    expect(cluster.writes).toEqual([`create ${replacement}`]);
  });

  it('ignores a node with do-not-disrupt', async () => {
    cluster.claims.set(claimOf('a'));
    const annotations = { 'karpenter.sh/do-not-disrupt': 'true' };
    cluster.nodes.set({ ...nodeOf('a'), metadata: { name: 'node-a', annotations } });
    await recommend('a');
    expect(cluster.writes).toEqual([]);
  });

  it('waits while the limits of the NodePool allow no other node', async () => {
    cluster.claims.set(claimOf('a'));
    const status = { nodes: 2, resources: { cpu: '3', memory: '16Gi' } };
    cluster.nodePools.set({ ...pool, spec: { ...pool.spec, limits: { cpu: '4' } }, status });
    await recommend('a');
    expect(cluster.writes).toEqual([]);
    cluster.nodePools.set({ ...pool, spec: { ...pool.spec, limits: { cpu: '5' } }, status });
    await clock.advance(seconds(5));
    expect(replacements()).toHaveLength(1);
  });

  it('waits while the node limit of the NodePool is reached', async () => {
    cluster.claims.set(claimOf('a'));
    cluster.nodePools.set({ ...pool, spec: { ...pool.spec, limits: { nodes: '2' } }, status: { nodes: 2 } });
    await recommend('a');
    expect(cluster.writes).toEqual([]);
  });

  it('is limited per hour', async () => {
    for (const name of ['a', 'b', 'c']) cluster.claims.set(claimOf(name));
    await recommend('a', 'b', 'c');
    for (const name of replacements()) show(name, 'Unknown');
    for (let minute = 0; minute < 55; minute += 5) {
      await recommend('c');
      await clock.advance(minutes(5) - seconds(5));
    }
    expect(replacements()).toHaveLength(2);
    await recommend('c');
    await clock.advance(minutes(5));
    expect(replacements()).toHaveLength(3);
  });

  it('is retried after the server rejected it', async () => {
    cluster.claims.set(claimOf('a'));
    await recommend('a');
    const [replacement = ''] = replacements();
    show(replacement, 'True');
    cluster.refusals.set('a', 3);
    await clock.advance(minutes(1));
    expect(cluster.writes).toEqual([`create ${replacement}`, 'delete a']);
  });
});
