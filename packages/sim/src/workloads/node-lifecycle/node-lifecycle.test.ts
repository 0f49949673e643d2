import type { Toleration } from '@karpenter/core/values';
import type { Node, Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';
import { heartbeatDeadline, taintsFor, unknownConditions } from './node-health.ts';
import { evictionsFrom } from './pod-eviction.ts';

const now = Date.UTC(2026, 0, 1);
const at = (offsetMs: number) => new Date(now + offsetMs).toISOString();

function nodeOf(ready: string, rest: Partial<Node> = {}): Node {
  const conditions = [{ type: 'Ready', status: ready, lastHeartbeatTime: at(-100_000) }];
  return { metadata: { name: 'n', creationTimestamp: at(-200_000) }, status: { conditions }, ...rest };
}

const lease = (renewTime: string) => ({ spec: { renewTime } });

describe('the heartbeats of a node', () => {
  it('count for forty seconds from its Lease or its status, whichever is newer', () => {
    const since = now - 1_000_000;
    expect(heartbeatDeadline(nodeOf('True'), lease(at(-5_000)), since)).toBe(now + 35_000);
    expect(heartbeatDeadline(nodeOf('True'), lease(at(-150_000)), since)).toBe(now - 60_000);
  });

  it('may take a minute from a new node', () => {
    const node = { metadata: { creationTimestamp: at(-20_000) } };
    expect(heartbeatDeadline(node, undefined, now - 1_000_000)).toBe(now + 40_000);
  });

  it('are not expected from before the controller started', () => {
    expect(heartbeatDeadline(nodeOf('True'), lease(at(-3_600_000)), now)).toBe(now + 40_000);
    expect(heartbeatDeadline({ metadata: { creationTimestamp: at(-3_600_000) } }, undefined, now)).toBe(
      now + 60_000,
    );
  });

  it('make every condition Unknown once when they stop', () => {
    const conditions = unknownConditions(nodeOf('True'), now);

    expect(conditions).toMatchObject([
      {
        type: 'Ready',
        status: 'Unknown',
        reason: 'NodeStatusUnknown',
        message: 'Kubelet stopped posting node status.',
      },
      {
        type: 'MemoryPressure',
        reason: 'NodeStatusNeverUpdated',
        message: 'Kubelet never posted node status.',
      },
      { type: 'DiskPressure' },
      { type: 'PIDPressure' },
    ]);
    expect(unknownConditions({ status: { conditions: [...(conditions ?? [])] } }, now)).toBeUndefined();
  });
});

describe('the taints of a node', () => {
  it.each([
    ['True', []],
    ['False', ['node.kubernetes.io/not-ready:NoSchedule', 'node.kubernetes.io/not-ready:NoExecute']],
    ['Unknown', ['node.kubernetes.io/unreachable:NoSchedule', 'node.kubernetes.io/unreachable:NoExecute']],
  ])('follow its readiness: %s', (ready, expected) => {
    const taints = taintsFor(nodeOf(ready), now) ?? [];

    expect(taints.map(({ key, effect }) => `${key}:${effect}`)).toEqual(expected);
  });

  it('of others stay, and its own are removed with their cause', () => {
    const own = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
    const other = { key: 'karpenter.sh/unregistered', effect: 'NoExecute' };

    expect(taintsFor(nodeOf('True', { spec: { taints: [own, other] } }), now)).toEqual([other]);
    expect(taintsFor(nodeOf('True', { spec: { taints: [other] } }), now)).toBeUndefined();
  });

  it('include cordon and pressure taints', () => {
    const conditions = [
      { type: 'Ready', status: 'True' },
      { type: 'DiskPressure', status: 'True' },
    ];
    const taints = taintsFor({ spec: { unschedulable: true }, status: { conditions } }, now) ?? [];

    expect(taints.map(({ key }) => key)).toEqual([
      'node.kubernetes.io/disk-pressure',
      'node.kubernetes.io/unschedulable',
    ]);
  });
});

describe('pods on a node with a NoExecute taint', () => {
  const taint = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded: at(-10_000) };
  const node: Node = { spec: { taints: [taint] } };
  const pod = (name: string, tolerations: Toleration[]): Pod => ({
    metadata: { name },
    spec: { containers: [], tolerations },
  });
  const tolerating = (tolerationSeconds?: number): Toleration => ({
    key: taint.key,
    operator: 'Exists',
    ...(tolerationSeconds !== undefined && { tolerationSeconds }),
  });

  it('are evicted at once, after tolerationSeconds, or never', () => {
    const pods = [
      pod('intolerant', []),
      pod('patient', [tolerating(300)]),
      pod('over', [tolerating(10)]),
      pod('loyal', [tolerating()]),
      pod('twice', [tolerating(60), tolerating(300)]),
    ];

    const { due, nextAt } = evictionsFrom(node, pods, now);

    expect(due.map(({ metadata }) => metadata?.name)).toEqual(['intolerant', 'over']);
    expect(nextAt).toBe(now + 50_000);
  });

  it('that are terminating or finished are not evicted again', () => {
    const leaving = { ...pod('leaving', []), metadata: { name: 'leaving', deletionTimestamp: at(0) } };
    const finished = { ...pod('finished', []), status: { phase: 'Succeeded' } };

    expect(evictionsFrom(node, [leaving, finished], now)).toEqual({ due: [], nextAt: undefined });
  });
});
