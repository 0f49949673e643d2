import {
  disruptableCluster,
  disruptedPool,
  machine,
  residents,
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

function candidateOf(wishes: Readonly<Record<string, string>>, parts: Parameters<typeof machine>[1] = {}) {
  const pools = [disruptedPool('default', { annotations: wishes })];
  const snapshot = disruptableCluster({ machines: [machine('n', parts)], types, pools });
  const [candidate] = findCandidates({ snapshot, queued: new Set() }, 'graceful').candidates;
  if (candidate === undefined) throw new Error('no candidate');
  return candidate;
}

/** From a node of 0.40 dollars an hour to one that saves so much of it. */
function isWorth(wishes: Readonly<Record<string, string>>, savings: number): boolean {
  const offering = { instanceType: 'small', price: 0.4 - savings };
  const command: Command = {
    reason: 'Underutilized',
    consolidationType: 'single',
    candidates: [candidateOf(wishes)],
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
  return isWorthwhile(command);
}

describe('a replacement is worth it', () => {
  it('whatever it saves, unless the pool asks for more', () => {
    expect(isWorth({}, 0.001)).toBe(true);
  });

  it('when it saves as many dollars an hour as the pool asks for', () => {
    const wishes = { [poolOptions.minSavings]: '0.05' };
    expect([isWorth(wishes, 0.04), isWorth(wishes, 0.05)]).toEqual([false, true]);
  });

  it('when it saves as large a share of the price as the pool asks for', () => {
    const wishes = { [poolOptions.minSavingsPercent]: '25%' };
    expect([isWorth(wishes, 0.09), isWorth(wishes, 0.1)]).toEqual([false, true]);
  });

  it('when its savings pay for the time in which both nodes run, soon enough', () => {
    // Five minutes of 0.30 dollars an hour are paid by 0.10 dollars an hour in a quarter of an hour.
    expect(isWorth({ [poolOptions.maxPayback]: '14m' }, 0.1)).toBe(false);
    expect(isWorth({ [poolOptions.maxPayback]: '16m' }, 0.1)).toBe(true);
  });

  it('by a wish that cannot be read as if there were none', () => {
    const wishes = { [poolOptions.minSavings]: 'much', [poolOptions.maxPayback]: 'soon' };
    expect(isWorth(wishes, 0.001)).toBe(true);
  });
});

describe('a node is left alone for longer', () => {
  const hourAgo = { lastPodEventTime: '2026-01-09T23:00:00Z' };

  it('while it is empty, where the pool asks for that', () => {
    const isOpen = (span: string) =>
      emptinessGate(candidateOf({ [poolOptions.emptyAfter]: span }, hourAgo)).isOpen;
    expect([isOpen('59m'), isOpen('61m')]).toEqual([true, false]);
  });

  it('while pods run on it, where the pool asks for that', () => {
    const busy = { ...hourAgo, pods: residents(1, 'n') };
    const isOpen = (span: string) =>
      consolidationGate(candidateOf({ [poolOptions.underutilizedAfter]: span }, busy)).isOpen;
    expect([isOpen('59m'), isOpen('61m')]).toEqual([true, false]);
  });

  it('each apart from the other', () => {
    expect(emptinessGate(candidateOf({ [poolOptions.underutilizedAfter]: '2h' }, hourAgo)).isOpen).toBe(true);
  });
});
