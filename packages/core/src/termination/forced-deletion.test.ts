import { boundPod } from '@karpenter/testkit/cluster-objects';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forcedDeletion } from './forced-deletion.ts';

const deadline = Date.UTC(2026, 0, 1, 1);
const pod = (terminationGracePeriodSeconds?: number) => ({
  ...boundPod('pod', 'node'),
  spec: {
    ...boundPod('pod', 'node').spec,
    ...(terminationGracePeriodSeconds !== undefined && { terminationGracePeriodSeconds }),
  },
});

describe('a forced deletion', () => {
  it('never happens to a pod without a grace period', () => {
    expect(forcedDeletion(pod(), deadline, deadline + 3_600_000)).toBeUndefined();
  });

  it('never happens without a deadline', () => {
    expect(forcedDeletion(pod(30), undefined, deadline)).toBeUndefined();
  });

  it('starts after the last moment at which the pod could end in its own grace period', () => {
    expect(forcedDeletion(pod(30), deadline, deadline - 30_000)).toBeUndefined();
    expect(forcedDeletion(pod(30), deadline, deadline - 29_999)).toEqual({ gracePeriodSeconds: 29 });
  });

  it('grants whole seconds up to the deadline, at least one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3600 }),
        fc.integer({ min: -3_600_000, max: 60_000 }),
        (needed, offset) => {
          const forced = forcedDeletion(pod(needed), deadline, deadline + offset);
          if (forced === undefined) return;
          expect(forced.gracePeriodSeconds).toBeGreaterThanOrEqual(1);
          expect(forced.gracePeriodSeconds).toBeLessThanOrEqual(Math.max(1, needed, -offset / 1000));
          expect(forced.gracePeriodSeconds).toBeLessThanOrEqual(Math.max(1, needed));
        },
      ),
    );
  });

  describe('of a terminating pod', () => {
    const ending = (deletionTimestamp: string, deletionGracePeriodSeconds: number) => {
      const { metadata, ...rest } = pod(30);
      return { ...rest, metadata: { ...metadata, deletionTimestamp, deletionGracePeriodSeconds } };
    };

    it('happens when it would end after the deadline', () => {
      const late = ending('2026-01-01T01:00:01Z', 600);
      expect(forcedDeletion(late, deadline, deadline - 60_000)).toEqual({ gracePeriodSeconds: 60 });
    });

    it('does not happen when it ends in time, or cannot end sooner', () => {
      const inTime = ending('2026-01-01T01:00:00Z', 600);
      expect(forcedDeletion(inTime, deadline, deadline - 60_000)).toBeUndefined();
      const soon = ending('2026-01-01T01:00:10Z', 1);
      expect(forcedDeletion(soon, deadline, deadline + 9_000)).toBeUndefined();
    });
  });
});
