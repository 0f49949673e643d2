import type { NodeClaim } from '@karpenter/core/api';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';
import { type Moment, patience, violationsAt } from './invariants.ts';

const now = Date.UTC(2026, 0, 1, 12);
const ago = (milliseconds: number) => new Date(now - milliseconds).toISOString();

function moment(part: Partial<Moment>): Moment {
  return { now, calmSince: 0, claims: [], pods: [], instances: new Map(), ...part };
}

function pendingPod(age: number): Pod {
  return { metadata: { name: 'web-1', creationTimestamp: ago(age) }, status: { phase: 'Pending' } };
}

function claim(part: { readonly id?: string; readonly deletedFor?: number }): NodeClaim {
  const { id, deletedFor } = part;
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name: 'default-1',
      ...(deletedFor === undefined ? {} : { deletionTimestamp: ago(deletedFor) }),
    },
    spec: {
      nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
      requirements: [],
      expireAfter: 'Never',
    },
    ...(id === undefined ? {} : { status: { providerID: `aws:///us-west-2a/${id}` } }),
  };
}

describe('violations of a calm cluster', () => {
  it('are pods that have been pending for too long', () => {
    expect(violationsAt(moment({ pods: [pendingPod(patience.pending + 1)] }))).toEqual([
      `pod web-1 is pending since ${ago(patience.pending + 1)}`,
    ]);
    expect(violationsAt(moment({ pods: [pendingPod(patience.pending)] }))).toEqual([]);
  });

  it('are not pods that run', () => {
    const pod = { ...pendingPod(2 * patience.pending), status: { phase: 'Running' } };
    expect(violationsAt(moment({ pods: [pod] }))).toEqual([]);
  });

  it('are NodeClaims that are not gone long after their deletion', () => {
    expect(violationsAt(moment({ claims: [claim({ deletedFor: patience.deletion + 1 })] }))).toHaveLength(1);
    expect(violationsAt(moment({ claims: [claim({ deletedFor: patience.deletion })] }))).toEqual([]);
  });

  it('are old instances without a NodeClaim', () => {
    const instances = new Map([['i-1', now - patience.orphan - 1]]);
    expect(violationsAt(moment({ instances }))).toEqual([
      `instance i-1, launched at ${ago(patience.orphan + 1)}, has no nodeclaim`,
    ]);
    expect(violationsAt(moment({ instances, claims: [claim({ id: 'i-1' })] }))).toEqual([]);
    expect(violationsAt(moment({ instances: new Map([['i-1', now]]) }))).toEqual([]);
  });

  it('count only from the moment at which nothing was wrong any more', () => {
    const stuck = {
      pods: [pendingPod(2 * patience.pending)],
      claims: [claim({ deletedFor: 2 * patience.deletion })],
      instances: new Map([['i-2', now - 2 * patience.orphan]]),
    };
    expect(violationsAt(moment(stuck))).toHaveLength(3);
    expect(violationsAt(moment({ ...stuck, calmSince: now - patience.pending }))).toEqual([]);
  });
});
