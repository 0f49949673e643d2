import { minutes, seconds } from '@karpenter/core/api';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  noRecommendations,
  type RebalanceState,
  type RecommendationView,
  rebalance,
  withRecommendation,
} from './rebalance.ts';

const limits = { perHour: 2, noticeLifetime: minutes(15), appearance: seconds(30) };
const staying: RecommendationView = { claim: 'staying', hasRoom: true, replacement: 'absent' };

let now: number;
let state: RebalanceState;
let views: ReadonlyMap<string, Partial<RecommendationView>>;

beforeEach(() => {
  now = Date.UTC(2026, 0, 1);
  state = noRecommendations;
  views = new Map();
});

function notice(...claims: readonly string[]): void {
  for (const claim of claims) state = withRecommendation(state, claim, now);
}

function see(claim: string, view: Partial<RecommendationView>): void {
  views = new Map(views).set(claim, view);
}

/** The steps after a time, as `step claim`. */
function after(time: number): readonly string[] {
  now += time;
  const result = rebalance(state, (claim) => ({ ...staying, ...views.get(claim) }), { now, ...limits });
  state = result.state;
  return result.steps.map(({ step, claim }) => `${step} ${claim}`);
}

describe('a node with a rebalance recommendation', () => {
  it('gets a replacement and is drained only when that is ready', () => {
    notice('a');
    expect(after(0)).toEqual(['replace a']);
    see('a', { replacement: 'starting' });
    expect(after(minutes(1))).toEqual([]);
    see('a', { replacement: 'ready' });
    expect(after(minutes(1))).toEqual(['leave a']);
    expect(after(seconds(5))).toEqual(['leave a']);
    see('a', { claim: 'leaving' });
    expect(after(seconds(5))).toEqual([]);
    expect(state.recommendations.size).toBe(0);
  });

  it('is dropped once it is being deleted; its replacement stays', () => {
    notice('a');
    after(0);
    see('a', { claim: 'leaving', replacement: 'starting' });
    expect(after(seconds(5))).toEqual([]);
    expect(state.recommendations.size).toBe(0);
  });

  it('stays when the recommendation passes before the replacement is ready', () => {
    notice('a');
    after(0);
    see('a', { replacement: 'starting' });
    expect(after(minutes(15))).toEqual(['cancel a']);
    expect(after(seconds(5))).toEqual(['cancel a']);
    see('a', { replacement: 'absent' });
    expect(after(seconds(5))).toEqual([]);
    expect(state.recommendations.size).toBe(0);
  });

  it('keeps its recommendation longer when it is repeated', () => {
    notice('a');
    after(0);
    see('a', { replacement: 'starting' });
    after(minutes(10));
    notice('a');
    expect(after(minutes(10))).toEqual([]);
    expect(after(minutes(5))).toEqual(['cancel a']);
  });

  it('gets another replacement when the first is gone, but not before the cache could show it', () => {
    notice('a');
    after(0);
    expect(after(seconds(29))).toEqual([]);
    expect(after(seconds(1))).toEqual(['replace a']);
  });

  it('waits while the limits of its NodePool leave no room', () => {
    notice('a');
    see('a', { hasRoom: false });
    expect(after(0)).toEqual([]);
    see('a', { hasRoom: true });
    expect(after(seconds(5))).toEqual(['replace a']);
  });
});

describe('the hourly limit', () => {
  it('makes further nodes wait in the order of their recommendations', () => {
    notice('a', 'b', 'c');
    expect(after(0)).toEqual(['replace a', 'replace b']);
    for (const claim of ['a', 'b']) see(claim, { claim: 'leaving' });
    for (let waited = 0; waited < 60; waited += 10) {
      notice('c');
      expect(after(minutes(waited === 0 ? 9 : 10))).toEqual([]);
    }
    notice('c');
    expect(after(minutes(1))).toEqual(['replace c']);
  });

  it('drops nodes that waited longer than the lifetime of a recommendation', () => {
    notice('a', 'b', 'c');
    after(0);
    for (const claim of ['a', 'b']) see(claim, { claim: 'leaving' });
    expect(after(minutes(15))).toEqual([]);
    expect(state.recommendations.size).toBe(0);
  });

  it('holds in every hour, whatever is observed', () => {
    const view = fc.record({
      claim: fc.constantFrom<RecommendationView['claim'][]>('staying', 'staying', 'leaving'),
      hasRoom: fc.boolean(),
      replacement: fc.constantFrom<RecommendationView['replacement'][]>('absent', 'starting', 'ready'),
    });
    const moment = fc.record({
      wait: fc.integer({ min: 0, max: minutes(20) }),
      claim: fc.constantFrom('a', 'b', 'c', 'd'),
      view,
    });
    fc.assert(
      fc.property(fc.array(moment, { maxLength: 60 }), (moments) => {
        state = noRecommendations;
        const starts: number[] = [];
        for (const { wait, claim, view: seen } of moments) {
          notice(claim);
          see(claim, seen);
          const steps = after(wait);
          for (const step of steps) if (step.startsWith('replace')) starts.push(now);
          const left = steps.filter((step) => step.startsWith('leave')).map((step) => step.slice(6));
          expect(left.every((name) => views.get(name)?.replacement === 'ready')).toBe(true);
        }
        for (const start of starts) {
          const within = starts.filter((at) => at >= start && at < start + minutes(60));
          expect(within.length).toBeLessThanOrEqual(limits.perHour);
        }
      }),
    );
  });
});
