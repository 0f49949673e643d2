import { boundPod, claim, node } from '@karpenter/testkit/cluster-objects';
import { pool } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { type ClusterPod, ClusterState } from '../state/index.ts';
import { deprovisioningOrder, grantedReplicas, staticBalance } from './index.ts';

const state = (claims: { active?: number; deleting?: number; pending?: number }, reserved = 0) => {
  const names = (count = 0) => Array.from({ length: count }, (_, index) => `claim-${index}`);
  const { active, deleting, pending } = claims;
  return {
    name: 'default',
    resources: {},
    claims: { active: names(active), deleting: names(deleting), pendingDisruption: names(pending) },
    reserved,
  };
};

describe('a static NodePool', () => {
  const replicas = (count: number) => pool('default', { replicas: count });

  it('lacks the difference to its replicas', () => {
    expect(staticBalance(replicas(3), state({ active: 1 }))).toEqual({
      current: 1,
      desired: 3,
      missing: 2,
      surplus: 0,
    });
    expect(staticBalance(replicas(3), state({ active: 3, deleting: 2 })).missing).toBe(0);
  });

  it('lacks nothing while claims pending disruption make up the number', () => {
    expect(staticBalance(replicas(3), state({ active: 2, pending: 1 })).missing).toBe(0);
    expect(staticBalance(replicas(4), state({ active: 2, pending: 1 })).missing).toBe(2);
  });

  it('has a surplus when more claims are active than desired', () => {
    expect(staticBalance(replicas(1), state({ active: 3, pending: 5 })).surplus).toBe(2);
    expect(staticBalance(replicas(0), state({ active: 1 })).surplus).toBe(1);
  });

  it('creates no more nodes than its limit allows, counting deleting and reserved ones', () => {
    const limited = pool('default', { replicas: 10, limits: { nodes: '5' } });
    expect(grantedReplicas(limited, state({ active: 1, deleting: 1, pending: 1 }, 1), 7)).toBe(1);
    expect(grantedReplicas(limited, state({ active: 6 }), 4)).toBe(0);
    expect(grantedReplicas(replicas(10), state({}), 10)).toBe(10);
  });
});

describe('surplus claims of a static NodePool', () => {
  const at = Date.parse('2026-01-02T00:00:00Z');

  function order(
    claims: readonly { name: string; created?: string; isLaunched?: boolean }[],
    ...pods: readonly ClusterPod[]
  ) {
    const cluster = new ClusterState({ kinds: [] });
    const objects = claims.map(({ name, created = '2026-01-01T00:00:00Z', isLaunched = true }) =>
      claim(name, { created, ...(isLaunched && { providerID: `cloud://node-${name}` }) }),
    );
    for (const object of objects) cluster.apply({ type: 'applied', kind: 'NodeClaim', object });
    for (const { name, isLaunched = true } of claims) {
      if (isLaunched) {
        cluster.apply({ type: 'applied', kind: 'Node', object: node(`node-${name}`, { pool: 'default' }) });
      }
    }
    for (const object of pods) cluster.apply({ type: 'applied', kind: 'Pod', object });
    return deprovisioningOrder(objects, cluster.snapshot(at).nodeStates, at).map(
      ({ metadata }) => metadata.name,
    );
  }
  const stay = { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } };

  it('are deleted in order: unlaunched, empty, with pods, with do-not-disrupt pods', () => {
    const names = ['stays', 'busy', 'empty', 'unlaunched', 'daemons', 'kept-by-daemon'];
    const claims = names.map((name) => ({ name, isLaunched: name !== 'unlaunched' }));
    const pods = [
      boundPod('a', 'node-busy'),
      boundPod('b', 'node-stays', stay),
      boundPod('c', 'node-daemons', { owner: 'DaemonSet/d' }),
      boundPod('d', 'node-kept-by-daemon', { owner: 'DaemonSet/d', ...stay }),
    ];
    expect(order(claims, ...pods)).toEqual([
      'unlaunched',
      'daemons',
      'empty',
      'busy',
      'kept-by-daemon',
      'stays',
    ]);
  });

  it('are deleted by reschedule cost', () => {
    const pods = [
      boundPod('a', 'node-two'),
      boundPod('b', 'node-two'),
      boundPod('c', 'node-one'),
      boundPod('d', 'node-expensive', {
        annotations: { 'controller.kubernetes.io/pod-deletion-cost': '2147483647' },
      }),
    ];
    expect(order([{ name: 'expensive' }, { name: 'two' }, { name: 'one' }], ...pods)).toEqual([
      'one',
      'two',
      'expensive',
    ]);
  });

  it('are deleted earlier the less lifetime they have left', () => {
    const pods = [boundPod('a', 'node-young'), boundPod('b', 'node-old')];
    const claims = [
      { name: 'young', created: '2026-01-01T00:00:00Z' },
      { name: 'old', created: '2025-12-10T00:00:00Z' },
    ];
    expect(order(claims, ...pods)).toEqual(['old', 'young']);
  });
});
