import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NodeRow } from '../node-row.ts';
import type { PodRow } from '../pod-row.ts';
import { apportion } from './apportion.ts';
import { costReport, nodeCostGroups, nodeGroupings, podCostGroups, podGroupings } from './cost-report.ts';

const gib = 2 ** 30;

interface NodeParts {
  readonly name?: string;
  readonly price?: number;
  readonly onDemand?: number;
  readonly capacityType?: string;
  readonly pool?: string;
  readonly pods?: readonly Partial<PodRow>[];
}

let serial = 0;

/** A node of 4 cores and 16 GiB with its pods. */
function nodeWith({ name = 'n', price, onDemand, capacityType, pool, pods = [] }: NodeParts) {
  const rows = pods.map((pod): PodRow => {
    serial += 1;
    return {
      uid: `pod-${serial}`,
      namespace: 'default',
      name: `pod-${serial}`,
      phase: 'running',
      statusPhase: 'Running',
      workload: { kind: 'Deployment', name: 'web' },
      labels: {},
      isDaemon: false,
      createdAt: 0,
      restarts: 0,
      nodeName: name,
      ...pod,
      requests: { ...pod.requests, pods: 1 },
    };
  });
  const total = (resource: string) => rows.reduce((sum, { requests }) => sum + (requests[resource] ?? 0), 0);
  const row: NodeRow = {
    id: name,
    name,
    labels: {},
    phase: 'ready',
    phaseSince: 0,
    isReady: true,
    readySince: 0,
    isCordoned: false,
    isDeleting: false,
    isProtected: false,
    createdAt: 0,
    capacity: {},
    allocatable: { cpu: 4, memory: 16 * gib },
    requested: { cpu: total('cpu'), memory: total('memory') },
    daemons: {},
    podCounts: { total: 0, pending: 0, running: 0, bound: 0 },
    pods: rows.map(({ uid }) => uid),
    ...(capacityType !== undefined && { capacityType }),
    ...(pool !== undefined && { nodePool: pool }),
    ...(price !== undefined && {
      price: { hourly: price, source: 'catalogue', ...(onDemand !== undefined && { onDemand }) },
    }),
  };
  return { row, rows };
}

function reportOf(...nodes: readonly ReturnType<typeof nodeWith>[]) {
  const pods = new Map(nodes.flatMap(({ rows }) => rows.map((row) => [row.uid, row] as const)));
  return costReport(
    { pods },
    nodes.map(({ row }) => row),
  );
}

describe('apportioning', () => {
  it('gives whole parts that add up and are within one of the exact share', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 ** 12 }),
        fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 50 }),
        (total, weights) => {
          const parts = apportion(total, weights);
          const sum = weights.reduce((all, weight) => all + weight, 0);
          expect(parts.reduce((all, part) => all + part, 0)).toBe(sum === 0 ? 0 : total);
          if (sum === 0) return;
          for (const [index, weight] of weights.entries()) {
            const exact = (total * weight) / sum;
            expect(Math.abs((parts[index] ?? 0) - exact)).toBeLessThan(1.01 + exact * 1e-9);
          }
        },
      ),
    );
  });
});

describe('the cost of a node', () => {
  it('goes to pods by what they request, with cpu worth nine times a GiB, and the rest is waste', () => {
    const report = reportOf(nodeWith({ price: 0.52, pods: [{ requests: { cpu: 2, memory: 8 * gib } }] }));
    expect(report).toMatchObject({
      hourly: 520_000_000,
      workloads: 260_000_000,
      waste: 260_000_000,
      daemons: 0,
    });
    const memoryOnly = reportOf(nodeWith({ price: 0.52, pods: [{ requests: { memory: 16 * gib } }] }));
    expect(memoryOnly.workloads).toBe(160_000_000);
  });

  it('counts pods of DaemonSets and static pods as daemons', () => {
    const requests = { cpu: 1, memory: 4 * gib };
    const report = reportOf(
      nodeWith({
        price: 0.52,
        pods: [
          { requests, isDaemon: true, workload: { kind: 'DaemonSet', name: 'cni' } },
          { requests, workload: { kind: 'Node', name: 'n' } },
        ],
      }),
    );
    expect(report).toMatchObject({ daemons: 260_000_000, workloads: 0, waste: 260_000_000 });
  });

  it('has no waste where more is requested than there is', () => {
    const report = reportOf(nodeWith({ price: 0.52, pods: [{ requests: { cpu: 8, memory: 32 * gib } }] }));
    expect(report).toMatchObject({ workloads: 520_000_000, waste: 0 });
  });

  it('is borne by the pod alone on Fargate', () => {
    const report = reportOf(
      nodeWith({ price: 0.1, capacityType: 'fargate', pods: [{ requests: { cpu: 1 } }] }),
    );
    expect(report).toMatchObject({ workloads: 100_000_000, waste: 0 });
  });

  it('is unknown rather than zero for a node without a price', () => {
    const report = reportOf(nodeWith({ name: 'odd' }), nodeWith({ price: 1 }));
    expect(report).toMatchObject({ nodes: 1, hourly: 1_000_000_000 });
    expect(report.unpriced.map(({ name }) => name)).toEqual(['odd']);
  });
});

describe('a cost report', () => {
  it('states the price on demand and the share of spot', () => {
    const report = reportOf(
      nodeWith({ price: 0.3, onDemand: 1, capacityType: 'spot' }),
      nodeWith({ price: 1, onDemand: 1, capacityType: 'on-demand' }),
    );
    expect(report).toMatchObject({
      hourly: 1_300_000_000,
      onDemand: 2_000_000_000,
      spot: { nodes: 1, hourly: 300_000_000 },
    });
  });

  it('leaves out pods that have ended', () => {
    const ended = nodeWith({ price: 1, pods: [{ requests: { cpu: 4 } }] });
    const rows = new Map(ended.rows.map((row) => [row.uid, { ...row, requests: {} }]));
    expect(podCostGroups(costReport({ pods: rows }, [ended.row]), 'namespace')).toEqual([]);
  });

  it('adds up to the billionth, by every grouping and by an independent sum of prices', () => {
    const podArbitrary = fc.record({
      requests: fc.record({
        cpu: fc.double({ min: 0, max: 5, noNaN: true }),
        memory: fc.integer({ min: 0, max: 20 * gib }),
      }),
      isDaemon: fc.boolean(),
      namespace: fc.constantFrom('a', 'b', 'c'),
    });
    const nodeArbitrary = fc.record({
      price: fc.option(fc.integer({ min: 0, max: 50_000_000 }), { nil: undefined }),
      pool: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
      pods: fc.array(podArbitrary, { maxLength: 8 }),
    });
    fc.assert(
      fc.property(fc.array(nodeArbitrary, { maxLength: 8 }), (parts) => {
        const report = reportOf(
          ...parts.map(({ price, pool, pods }, index) =>
            nodeWith({
              name: `n${index}`,
              pods,
              ...(pool !== undefined && { pool }),
              ...(price !== undefined && { price: price / 1e6 }),
            }),
          ),
        );
        const expected = parts.reduce((sum, { price = 0 }) => sum + price * 1_000, 0);
        expect(report.hourly).toBe(expected);
        expect(report.workloads + report.daemons + report.waste).toBe(expected);
        for (const grouping of nodeGroupings) {
          const groups = nodeCostGroups(report, grouping);
          expect(groups.reduce((sum, { hourly }) => sum + hourly, 0)).toBe(expected);
          for (const { hourly, workloads, daemons, waste } of groups)
            expect(workloads + daemons + waste).toBe(hourly);
        }
        for (const grouping of podGroupings) {
          const pods = podCostGroups(report, grouping).reduce((sum, { hourly }) => sum + hourly, 0);
          expect(pods + report.daemons + report.waste).toBe(expected);
        }
      }),
    );
  });
});
