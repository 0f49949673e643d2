import { disruptedPool } from '@karpenter/testkit/disruptable-clusters';
import { describe, expect, it } from 'vitest';
import type { ClusterPod } from '../../state/index.ts';
import { PodMoves } from './pod-moves.ts';

const start = Date.UTC(2026, 0, 1);
const minute = 60_000;
const text = (at: number) => new Date(at).toISOString();

function pod(uid: string, created: number, changes: { deleted?: number; owner?: string } = {}): ClusterPod {
  const { deleted, owner = 'web' } = changes;
  return {
    metadata: {
      name: uid,
      namespace: 'default',
      uid,
      creationTimestamp: text(created),
      ownerReferences: [{ kind: 'ReplicaSet', name: owner, controller: true }],
      ...(deleted !== undefined && { deletionTimestamp: text(deleted) }),
    },
    spec: { containers: [], terminationGracePeriodSeconds: 0 },
  };
}

/** Moves a pod at an instant; its ReplicaSet creates the next one. */
function move(moves: PodMoves, [from, to]: readonly [string, string], at: number): void {
  moves.begin([from], at);
  moves.put(pod(from, start, { deleted: at }));
  moves.put(pod(to, at));
  moves.remove(pod(from, start, { deleted: at }), at);
}

function candidate(uid: string, annotations: Readonly<Record<string, string>> = {}) {
  const nodePool = disruptedPool('default', { annotations });
  return { nodePool, reschedulable: [{ key: `default/${uid}`, pod: pod(uid, start) }] };
}

describe('a pod that has moved twice within an hour', () => {
  const moves = new PodMoves();
  move(moves, ['a', 'b'], start);
  move(moves, ['b', 'c'], start + minute);

  it('rests until the first move is an hour ago', () => {
    expect(moves.podAtMoveLimit(candidate('c'), start + 2 * minute)).toBe('default/c');
    expect(moves.podAtMoveLimit(candidate('c'), start + 60 * minute)).toBeUndefined();
  });

  it('does not rest if its NodePool allows more moves', () => {
    const often = candidate('c', { 'karpenter-ts/pod-moves-per-hour': '3' });
    expect(moves.podAtMoveLimit(often, start + 2 * minute)).toBeUndefined();
  });

  it('leaves other pods alone', () => {
    expect(moves.podAtMoveLimit(candidate('d'), start + 2 * minute)).toBeUndefined();
  });
});

describe('a pod that moved four minutes ago', () => {
  const moves = new PodMoves();
  move(moves, ['a', 'b'], start);

  it('has just moved, until five minutes have passed', () => {
    expect(moves.hasJustMoved(candidate('b'), start + 4 * minute)).toBe(true);
    expect(moves.hasJustMoved(candidate('b'), start + 5 * minute)).toBe(false);
    expect(moves.hasJustMoved(candidate('d'), start + 4 * minute)).toBe(false);
  });
});

describe('the moves of a pod', () => {
  it('count in the pod that its controller creates instead', () => {
    const moves = new PodMoves();
    move(moves, ['a', 'b'], start);
    move(moves, ['b', 'c'], start + minute);
    expect(['a', 'b', 'c'].map((uid) => moves.recent(uid, start + minute))).toEqual([0, 0, 2]);
  });

  it('count for a pod that goes without a deletion timestamp long after its command began', () => {
    const moves = new PodMoves();
    moves.begin(['a'], start);
    moves.remove(pod('a', start), start + 5 * minute);
    moves.put(pod('b', start + 5 * minute));
    expect(moves.recent('b', start + 5 * minute)).toBe(1);
  });

  it('count for an hour', () => {
    const moves = new PodMoves();
    move(moves, ['a', 'b'], start);
    expect(moves.recent('b', start + 60 * minute - 1)).toBe(1);
    expect(moves.recent('b', start + 60 * minute)).toBe(0);
  });

  it('do not count while the pod is where it was, as after a command that failed', () => {
    const moves = new PodMoves();
    for (const minutes of [0, 1, 2]) moves.begin(['a'], start + minutes * minute);
    expect(moves.recent('a', start + 3 * minute)).toBe(0);
  });

  it('are not those of a pod that a scale-up creates later', () => {
    const moves = new PodMoves();
    moves.begin(['a'], start);
    moves.remove(pod('a', start, { deleted: start }), start);
    moves.put(pod('b', start + 5 * minute));
    expect(moves.recent('b', start + 5 * minute)).toBe(0);
  });

  it('are not those of pods that existed before or belong to another controller', () => {
    const moves = new PodMoves();
    moves.begin(['a'], start + minute);
    moves.put(pod('a', start, { deleted: start + minute }));
    moves.put(pod('sibling', start));
    moves.put(pod('other', start + minute, { owner: 'api' }));
    moves.put(pod('next', start + minute));
    expect(['sibling', 'other', 'next'].map((uid) => moves.recent(uid, start + minute))).toEqual([0, 0, 1]);
  });

  it('do not begin with a pod that ends for another reason', () => {
    const moves = new PodMoves();
    moves.put(pod('a', start, { deleted: start + minute }));
    moves.put(pod('b', start + minute));
    expect(moves.recent('b', start + minute)).toBe(0);
  });
});
