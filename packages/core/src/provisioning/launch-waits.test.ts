import { claim, node } from '@karpenter/testkit/cluster-objects';
import { pool } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { ClusterState, type StateEvent } from '../state/index.ts';
import { LaunchWaits } from './index.ts';

const limits = { limits: { cpu: '10' } };
const rejection = (nodePool: string, failed: 'limits' | 'taints') => ({
  reasons: [{ nodePool, failed: [failed], message: '' }],
});

/** Two pools with limits, and four CPUs of nodes in the first. */
function waits(...launching: readonly ReturnType<typeof claim>[]): LaunchWaits {
  const state = new ClusterState({ kinds: [] });
  const running = claim('running', { providerID: 'cloud://a', capacity: { cpu: '4' } });
  const events: StateEvent[] = [
    { type: 'applied', kind: 'NodePool', object: pool('default', limits) },
    { type: 'applied', kind: 'NodePool', object: pool('other', limits) },
    { type: 'applied', kind: 'NodeClaim', object: running },
    { type: 'applied', kind: 'Node', object: node('a', { pool: 'default' }) },
    ...launching.map((object) => ({ type: 'applied', kind: 'NodeClaim', object }) as const),
  ];
  for (const event of events) state.apply(event);
  return new LaunchWaits(state.snapshot(0));
}

describe('a pod that limits reject', () => {
  it('waits while launching claims of the pool may leave room', () => {
    const launching = waits(claim('b', { requests: { cpu: '2' } }), claim('c', { requests: { cpu: '3' } }));
    expect(launching.concern(rejection('default', 'limits'))).toBe(true);
  });

  it('has failed if nodes and the requests of launching claims exceed the limits', () => {
    const launching = waits(claim('b', { requests: { cpu: '4' } }), claim('c', { requests: { cpu: '3' } }));
    expect(launching.concern(rejection('default', 'limits'))).toBe(false);
  });

  it('has failed if no claim of the pool is launching', () => {
    const launching = waits(claim('b', { requests: { cpu: '2' } }));
    expect(launching.concern(rejection('other', 'limits'))).toBe(false);
    expect(waits().concern(rejection('default', 'limits'))).toBe(false);
  });
});

it('a pod that something else rejects has failed', () => {
  expect(waits(claim('b')).concern(rejection('default', 'taints'))).toBe(false);
});
