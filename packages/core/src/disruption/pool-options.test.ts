import {
  disruptableCluster,
  disruptedPool,
  managedNode,
  runningPods,
} from '@karpenter/testkit/disruptable-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import {
  type Command,
  consolidationGate,
  emptinessGate,
  findCandidates,
  isWorthwhile,
  poolOptions,
} from './index.ts';

const types = [instanceType('large', { price: 0.4 })];

function candidateOf(
  options: Readonly<Record<string, string>>,
  parts: Parameters<typeof managedNode>[1] = {},
) {
  const pools = [disruptedPool('default', { annotations: options })];
  const snapshot = disruptableCluster({ managedNodes: [managedNode('n', parts)], types, pools });
  const [candidate] = findCandidates({ snapshot, queued: new Set() }, 'graceful').candidates;
  if (candidate === undefined) throw new Error('no candidate');
  return candidate;
}

/** Replaces a node of 0.40 dollars per hour with one that saves this much. */
function isWorth(options: Readonly<Record<string, string>>, savings: number): boolean {
  const offering = { instanceType: 'small', price: 0.4 - savings };
  const command: Command = {
    reason: 'Underutilized',
    consolidationType: 'single',
    candidates: [candidateOf(options)],
    replacements: [
      {
        nodePool: 'default',
        requirements: [],
        instanceTypes: ['small'],
        pods: [],
        requests: {},
        price: offering.price,
        choice: {
          offering,
          fill: {},
          bindingResources: [],
          alternatives: [],
          narrowings: [],
          passedOver: [],
        },
      },
    ],
    destinations: [],
    savings,
  };
  return isWorthwhile(command, { totals: new Map() });
}

describe('a replacement is accepted', () => {
  it('whatever it saves, by default', () => {
    expect(isWorth({}, 0.001)).toBe(true);
  });

  it('when it saves the dollars per hour of min-savings', () => {
    const options = { [poolOptions.minSavings]: '0.05' };
    expect([isWorth(options, 0.04), isWorth(options, 0.05)]).toEqual([false, true]);
  });

  it('when it saves the share of min-savings-percent', () => {
    const options = { [poolOptions.minSavingsPercent]: '25%' };
    expect([isWorth(options, 0.09), isWorth(options, 0.1)]).toEqual([false, true]);
  });

  it('when its savings pay for running both nodes within max-payback', () => {
    // Five minutes at 0.30 dollars per hour are paid back by 0.10 dollars per hour in a quarter of an hour.
    expect(isWorth({ [poolOptions.maxPayback]: '14m' }, 0.1)).toBe(false);
    expect(isWorth({ [poolOptions.maxPayback]: '16m' }, 0.1)).toBe(true);
  });

  it('as by default when an option cannot be parsed', () => {
    const options = { [poolOptions.minSavings]: 'much', [poolOptions.maxPayback]: 'soon' };
    expect(isWorth(options, 0.001)).toBe(true);
  });
});

describe('a node stays longer', () => {
  const hourAgo = { lastPodEventTime: '2026-01-09T23:00:00Z' };

  it('while it is empty, with empty-after', () => {
    const isOpen = (span: string) =>
      emptinessGate(candidateOf({ [poolOptions.emptyAfter]: span }, hourAgo)).isOpen;
    expect([isOpen('59m'), isOpen('61m')]).toEqual([true, false]);
  });

  it('while pods run on it, with underutilized-after', () => {
    const busy = { ...hourAgo, pods: runningPods(1, 'n') };
    const isOpen = (span: string) =>
      consolidationGate(candidateOf({ [poolOptions.underutilizedAfter]: span }, busy)).isOpen;
    expect([isOpen('59m'), isOpen('61m')]).toEqual([true, false]);
  });

  it('by each option independently', () => {
    expect(emptinessGate(candidateOf({ [poolOptions.underutilizedAfter]: '2h' }, hourAgo)).isOpen).toBe(true);
  });
});
