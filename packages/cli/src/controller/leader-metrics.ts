import type { MetricRegistry } from '@karpenter/controllers';
import { leaderElectionMetrics } from '@karpenter/core/api';
import type { LeaseFence } from '@karpenter/kube/runtime';

/**
 * Shows at each scrape whether this process leads. The fence decides, because it closes by the clock: a process
 * that was stopped for longer than its lease reports that it no longer leads before any of its timers fire.
 * Without leader election the process does the work of a leader and reports so, which keeps an alert on a missing
 * leader silent.
 */
export function measureLeadership(
  registry: MetricRegistry,
  lease: string,
  fence: Pick<LeaseFence, 'isOpen'> | undefined,
): void {
  registry.beforeScrape(() => {
    const leads = fence?.isOpen ?? true;
    registry.set(leaderElectionMetrics.masterStatus, { name: lease }, leads ? 1 : 0);
  });
}
