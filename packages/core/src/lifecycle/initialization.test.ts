import type { QuantityTexts, Taint } from '@karpenter/core/values';
import { claim, node } from '@karpenter/testkit/cluster-objects';
import { describe, expect, it } from 'vitest';
import { initializationBlock } from './initialization.ts';

const asking = claim('a', {
  annotations: { 'karpenter.sh/requested-dra-drivers': 'gpu.example.com' },
  startupTaints: [{ key: 'cni', value: 'v', effect: 'NoSchedule' }],
  requests: { cpu: '1', 'example.com/card': '1' },
});
const startup = { key: 'cni', effect: 'NoSchedule' as const };
const ephemeral = { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' as const };

interface Progress {
  readonly isReady: boolean;
  readonly taints: readonly Taint[];
  readonly allocatable: QuantityTexts;
}

function blockOf({ isReady, taints, allocatable }: Progress) {
  const { status, ...rest } = node('n', { taints, allocatable });
  const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }];
  return initializationBlock({
    claim: asking,
    node: { ...rest, status: { ...status, conditions } },
    slices: [],
  })?.reason;
}

describe('the reason why a node is not initialized', () => {
  it('is the first of: node, readiness, startup taints, ephemeral taints, resources, devices', () => {
    const bare = { cpu: '4' };
    const equipped = { cpu: '4', 'example.com/card': '1' };
    expect([
      initializationBlock({ claim: asking, node: undefined, slices: [] })?.reason,
      blockOf({ isReady: false, taints: [startup, ephemeral], allocatable: bare }),
      blockOf({ isReady: true, taints: [ephemeral, startup], allocatable: bare }),
      blockOf({ isReady: true, taints: [ephemeral], allocatable: bare }),
      blockOf({ isReady: true, taints: [], allocatable: bare }),
      blockOf({ isReady: true, taints: [], allocatable: equipped }),
    ]).toEqual([
      'NodeNotFound',
      'NodeNotReady',
      'StartupTaintsExist',
      'KnownEphemeralTaintsExist',
      'ResourceNotRegistered',
      'DRADriverPoolsNotPublished',
    ]);
  });

  it('is absent once everything is there, and devices count only if they are looked at', () => {
    const { status, ...rest } = node('n', { allocatable: { cpu: '4', 'example.com/card': '1' } });
    const ready = { ...rest, status: { ...status, conditions: [{ type: 'Ready', status: 'True' }] } };
    expect(initializationBlock({ claim: asking, node: ready })).toBeUndefined();
  });
});
