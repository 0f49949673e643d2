import { ec2NodeClass } from '@karpenter/testkit/aws-calls';
import { describe, expect, it } from 'vitest';
import type { EC2NodeClass } from '../node-class/index.ts';
import { launchObstacle } from './class-readiness.ts';

type Ready = 'True' | 'False' | 'Unknown';

function nodeClass(
  status: Ready,
  change: { tags?: Record<string, string>; deletionTimestamp?: string; seen?: number } = {},
): EC2NodeClass {
  const { tags = {}, deletionTimestamp, seen = 2 } = change;
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  return ec2NodeClass({
    metadata: {
      name: 'default',
      generation: 2,
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    },
    spec: {
      tags,
    },
    status: {
      conditions: [
        {
          type: 'Ready',
          status,
          reason: 'r',
          message: 'SubnetsReady=False',
          observedGeneration: seen,
          lastTransitionTime,
        },
      ],
    },
  });
}

describe('a launch with a class', () => {
  it('can go ahead once the class is ready', () => {
    expect(launchObstacle(nodeClass('True', { tags: { team: 'a' } }))).toBeUndefined();
  });

  it.each([
    [
      nodeClass('True', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      'insufficient-capacity',
      'ec2nodeclasses.karpenter.k8s.aws "default" is terminating, treating as not found',
    ],
    [nodeClass('False'), 'node-class-not-ready', 'SubnetsReady=False'],
    [nodeClass('Unknown'), 'launch-failed', 'NodeClass is in Ready=Unknown'],
    [nodeClass('True', { seen: 1 }), 'node-class-not-ready', 'are about generation 1, and it is at 2'],
    [
      nodeClass('True', { tags: { 'kubernetes.io/cluster/dev': 'owned' } }),
      'node-class-not-ready',
      'tags failed validation requirements (tags="kubernetes.io/cluster/dev")',
    ],
  ])('cannot: %#', (given, code, message) => {
    const obstacle = launchObstacle(given);
    expect(obstacle?.code).toBe(code);
    expect(obstacle?.message).toContain(message);
  });
});
