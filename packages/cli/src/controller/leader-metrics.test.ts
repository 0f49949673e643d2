import { MetricRegistry } from '@karpenter/controllers';
import { durationMs } from '@karpenter/core/values';
import { LeaseFence } from '@karpenter/kube/runtime';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import { measureLeadership } from './leader-metrics.ts';

function setUp(isElected: boolean) {
  const clock = new VirtualClock();
  const fence = new LeaseFence(clock, { namespace: 'kube-system', name: 'karpenter-leader-election' });
  const registry = new MetricRegistry(clock);
  measureLeadership(registry, 'karpenter-leader-election', isElected ? fence : undefined);
  const lines = () => [...registry.exposition()].join('').split('\n');
  return { clock, fence, lines };
}

const leads = 'leader_election_master_status{name="karpenter-leader-election"} 1';
const standsBy = 'leader_election_master_status{name="karpenter-leader-election"} 0';

describe('leader_election_master_status', () => {
  it('is zero while this process stands by and one while it leads', () => {
    const { clock, fence, lines } = setUp(true);
    expect(lines()).toContain('# TYPE leader_election_master_status gauge');
    expect(lines()).toContain(standsBy);
    fence.extend(clock.monotonic() + 10_000);
    expect(lines()).toContain(leads);
  });

  it('is zero again as soon as the lease has run out or was given back', async () => {
    const { clock, fence, lines } = setUp(true);
    fence.extend(clock.monotonic() + 10_000);
    await clock.advance(durationMs(10_000));
    expect(lines()).toContain(standsBy);
    fence.extend(clock.monotonic() + 10_000);
    fence.close();
    expect(lines()).toContain(standsBy);
  });

  it('is one where no leader is elected', () => {
    expect(setUp(false).lines()).toContain(leads);
  });
});
