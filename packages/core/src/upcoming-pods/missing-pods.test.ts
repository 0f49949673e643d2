import { boundPod, pendingPod } from '@karpenter/testkit/cluster-objects';
import { describe, expect, it } from 'vitest';
import type { ClusterPod } from '../state/index.ts';
import { missingPods, type WorkloadView } from './missing-pods.ts';

const now = Date.parse('2026-01-01T00:01:00Z');
const created = '2026-01-01T00:00:55Z';
const longAgo = '2026-01-01T00:00:49Z';

const waiting = (count: number, parts: Parameters<typeof pendingPod>[1] = { created }) =>
  Array.from({ length: count }, (_, index) => pendingPod(`p-${index}`, parts));
const withStatus = (pod: ClusterPod, status: ClusterPod['status'] & object): ClusterPod => ({
  ...pod,
  status,
});
const replicaSet = (replicas: number, parts: Partial<WorkloadView> = {}): WorkloadView => ({
  kind: 'ReplicaSet',
  metadata: {},
  spec: { replicas },
  ...parts,
});
const job = (spec: NonNullable<WorkloadView['spec']>, parts: Partial<WorkloadView> = {}): WorkloadView => ({
  kind: 'Job',
  metadata: {},
  spec,
  ...parts,
});
const condition = (type: string) => ({ conditions: [{ type, status: 'True' }] });

describe('the missing pods of a ReplicaSet', () => {
  it('are its replicas less the pods that are bound or wait', () => {
    expect(missingPods(replicaSet(10), [...waiting(3), boundPod('b', 'node')], now)).toBe(6);
  });

  it('are all of them without pods for twenty seconds after its creation', () => {
    const createdAt = (creationTimestamp: string) => replicaSet(10, { metadata: { creationTimestamp } });
    expect(missingPods(createdAt('2026-01-01T00:00:40Z'), [], now)).toBe(10);
    expect(missingPods(createdAt('2026-01-01T00:00:39Z'), [], now)).toBe(0);
  });

  it('are none with more pods than replicas, as after a scale-down', () => {
    expect(missingPods(replicaSet(2), waiting(3), now)).toBe(0);
  });

  it('include replacements of finished and terminating pods', () => {
    const [first, second, third] = waiting(3);
    if (first === undefined || second === undefined || third === undefined) throw new Error('no pods');
    const pods = [
      first,
      withStatus(second, { phase: 'Failed' }),
      { ...third, metadata: { ...third.metadata, deletionTimestamp: created } },
    ];
    expect(missingPods(replicaSet(3), pods, now)).toBe(2);
  });

  it('include pods that exist but that kube-scheduler has not tried', () => {
    const pods = waiting(3).map((pod, index) => (index === 0 ? pod : withStatus(pod, { phase: 'Pending' })));
    expect(missingPods(replicaSet(3), pods, now)).toBe(2);
  });

  it('include no pods with scheduling gates', () => {
    const gated = { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] };
    const pods = waiting(3).map((pod, index) => (index === 0 ? pod : withStatus(pod, gated)));
    expect(missingPods(replicaSet(3), pods, now)).toBe(0);
  });

  it('are expected for ten seconds after the last pod was created or became unschedulable', () => {
    expect(missingPods(replicaSet(10), waiting(3, { created: longAgo }), now)).toBe(0);
    const unschedulable = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable' };
    const tried = waiting(3, { created: longAgo }).map((pod) =>
      withStatus(pod, { conditions: [{ ...unschedulable, lastTransitionTime: created }] }),
    );
    expect(missingPods(replicaSet(10), tried, now)).toBe(7);
  });

  it('are none while a quota or webhook refuses them, or once it is deleted', () => {
    expect(missingPods(replicaSet(10, { status: condition('ReplicaFailure') }), waiting(3), now)).toBe(0);
    const metadata = { deletionTimestamp: created };
    expect(missingPods(replicaSet(10, { metadata }), waiting(3), now)).toBe(0);
  });
});

describe('the missing pods of a Job', () => {
  it('are what runs in parallel and is not yet completed', () => {
    expect(missingPods(job({ parallelism: 5, completions: 20 }), waiting(3), now)).toBe(2);
    const status = { succeeded: 17 };
    expect(missingPods(job({ parallelism: 5, completions: 20 }, { status }), waiting(1), now)).toBe(2);
  });

  it('count completed pods that the status does not count yet', () => {
    const [first, ...others] = waiting(4);
    if (first === undefined) throw new Error('no pods');
    const pods = [withStatus(first, { phase: 'Succeeded' }), ...others];
    expect(missingPods(job({ parallelism: 4, completions: 4 }), pods, now)).toBe(0);
  });

  it('are its parallelism without completions, until a pod succeeds', () => {
    expect(missingPods(job({ parallelism: 4 }), waiting(1), now)).toBe(3);
    expect(missingPods(job({ parallelism: 4 }, { status: { succeeded: 1 } }), waiting(1), now)).toBe(0);
  });

  it.each(['Suspended', 'Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet'])(
    'are none with the condition %s',
    (type) => {
      expect(missingPods(job({ parallelism: 4 }, { status: condition(type) }), waiting(1), now)).toBe(0);
    },
  );

  it('are none while it is suspended', () => {
    expect(missingPods(job({ parallelism: 4, suspend: true }), waiting(1), now)).toBe(0);
  });
});
