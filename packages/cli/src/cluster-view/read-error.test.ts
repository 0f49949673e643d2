import { ApiError, kinds, nodePools } from '@karpenter/kube/client';
import { describe, expect, it } from 'vitest';
import { readError } from './read-error.ts';

const forbidden = new ApiError('read', {
  code: 403,
  reason: 'Forbidden',
  message: 'no',
  causes: [],
  retryAfter: undefined,
});

describe('a forbidden read', () => {
  it('asks for exactly the verb that failed, on the resource with its group', () => {
    const server = 'https://cluster.example';
    expect(readError(forbidden, { kind: kinds.node, verb: 'watch', server })).toMatchObject({
      code: 'missing-permission',
      message:
        'cannot watch nodes: the user of this context may not; bind it to a ClusterRole with the verb watch on nodes',
    });
    expect(readError(forbidden, { kind: nodePools, verb: 'list', server })).toMatchObject({
      message:
        'cannot list nodepools.karpenter.sh: the user of this context may not; bind it to a ClusterRole with the verb list on nodepools.karpenter.sh',
    });
  });
});
