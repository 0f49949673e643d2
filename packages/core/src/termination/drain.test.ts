import { boundPod } from '@karpenter/testkit/cluster-objects';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { drain } from './drain.ts';

const at = Date.UTC(2026, 0, 1);

const pods = fc.array(
  fc.record({
    isCritical: fc.boolean(),
    isDaemon: fc.boolean(),
    seconds: fc.integer({ min: 0, max: 600 }),
  }),
  { maxLength: 12 },
);

it('evicts pods group by group, and overdue ones at once', () => {
  fc.assert(
    fc.property(pods, fc.option(fc.integer({ min: 0, max: 900_000 })), (drawn, left) => {
      const deadline = left === null ? undefined : at + left;
      const bound = drawn.map(({ isCritical, isDaemon, seconds }, index) => {
        const { spec, ...rest } = boundPod(`pod-${index}`, 'node', isDaemon ? { owner: 'DaemonSet/d' } : {});
        return {
          ...rest,
          spec: {
            ...spec,
            terminationGracePeriodSeconds: seconds,
            ...(isCritical && { priorityClassName: 'system-node-critical' }),
          },
        };
      });
      const { waiting, next } = drain({ pods: bound, at, deadline });
      expect(waiting).toBe(bound.length);
      const tier = (index: number) => (drawn[index]?.isCritical ? 2 : 0) + (drawn[index]?.isDaemon ? 1 : 0);
      const isOverdue = (index: number) =>
        deadline !== undefined && at > deadline - (drawn[index]?.seconds ?? 0) * 1000;
      const indexes = [...drawn.keys()];
      const lowest = Math.min(...indexes.filter((index) => !isOverdue(index)).map(tier));
      const expected = indexes.filter((index) => isOverdue(index) || tier(index) === lowest);
      const names = next.map(({ metadata }) => metadata.name).toSorted();
      expect(names).toEqual(expected.map((index) => `pod-${index}`).toSorted());
    }),
  );
});

it('stops waiting for a pod one minute after it should have ended', () => {
  const pods = [boundPod('ending', 'node', { deleted: '2026-01-01T00:00:00Z' })];
  expect(drain({ pods, at: at + 60_000, deadline: undefined })).toEqual({ waiting: 1, next: [] });
  expect(drain({ pods, at: at + 60_001, deadline: undefined })).toEqual({ waiting: 0, next: [] });
});
