import { type CostReport, costReport, nodeCostGroups, podCostGroups } from '@karpenter/core/cluster-view';
import { sampleNode } from '@karpenter/testkit/node-rows';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costText } from './cost-text.ts';
import { PrintedCosts } from './printed-costs.ts';

/** Nodes of many small and odd prices in three NodePools, with a pod each. */
function reportOf(prices: readonly number[]): CostReport {
  const pods = new Map(
    prices.map((_, index) => [
      `pod-${index}`,
      {
        uid: `pod-${index}`,
        namespace: `team-${index % 5}`,
        name: `pod-${index}`,
        phase: 'running' as const,
        statusPhase: 'Running',
        workload: { kind: 'Deployment', name: `app-${index}` },
        labels: {},
        requests: { cpu: 1 + (index % 3) / 7, pods: 1 },
        isDaemon: index % 4 === 0,
        createdAt: 0,
        restarts: 0,
      },
    ]),
  );
  const nodes = prices.map((hourly, index) =>
    sampleNode(`node-${index}`, {
      nodePool: `pool-${index % 3}`,
      pods: [`pod-${index}`],
      requested: pods.get(`pod-${index}`)?.requests ?? {},
      price: { hourly, onDemand: hourly * 2, source: 'label' },
    }),
  );
  return costReport({ pods }, nodes);
}

const prices = fc.array(
  fc.integer({ min: 0, max: 30_000_000 }).map((micro) => micro / 1e6),
  { maxLength: 30 },
);
const sum = (units: readonly number[]) => units.reduce((total, unit) => total + unit, 0);

describe('printed costs', () => {
  it('add up to the last printed digit in every division', () => {
    fc.assert(
      fc.property(prices, fc.constantFrom('hour' as const, 'month' as const), (all, period) => {
        const report = reportOf(all);
        const printed = new PrintedCosts(report, period);
        const pools = nodeCostGroups(report, 'nodepool');
        expect(printed.workloads + printed.daemons + printed.waste).toBe(printed.total);
        expect(sum(printed.ofNodes(pools))).toBe(printed.total);
        expect(sum(printed.wasteOfNodes(pools))).toBe(printed.waste);
        expect(sum(printed.ofPods(podCostGroups(report, 'namespace'), true))).toBe(printed.workloads);
      }),
    );
  });

  it('state the total to the cent of an independent sum', () => {
    fc.assert(
      fc.property(prices, (all) => {
        const expected = Math.round(sum(all.map((price) => Math.round(price * 1e6))) * 730) / 1e6;
        const { total } = new PrintedCosts(reportOf(all), 'month');
        expect(Math.abs(total / 100 - expected)).toBeLessThanOrEqual(0.005 + 1e-6);
      }),
    );
  });
});

describe('the table of costs', () => {
  const report = reportOf(Array.from({ length: 12 }, (_, index) => 0.1 + index / 1000));

  it('joins small groups in the summary, and shows all of them with --by', () => {
    const consolidation = { hourly: 0.25, deleted: 2, replaced: 1, candidates: 9 };
    const text = costText({ report, groupings: [], consolidation });
    expect(text).toContain('(4 others)');
    expect(text).toContain(
      'Consolidation could still save $0.2500/hour, $182.50/month: 2 of 9 candidates deleted, 1 replaced.',
    );
    expect(costText({ report, groupings: [], consolidation: { ...consolidation, candidates: 0 } })).toContain(
      'Consolidation saves nothing now: no node may be disrupted.',
    );
    expect(costText({ report, groupings: ['workload'], consolidation })).not.toContain('others');
  });

  it('names nodes without a price', () => {
    const { price: _price, ...unpriced } = sampleNode('odd', { instanceType: 'x9.huge' });
    const text = costText({
      report: costReport({ pods: new Map() }, [unpriced]),
      groupings: [],
      consolidation: 'no',
    });
    expect(text).toContain('One node has no known price and is not included: x9.huge.');
    expect(text).toContain('total      0.0000     0.00     0%');
  });
});
