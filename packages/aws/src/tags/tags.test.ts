import { describe, expect, it } from 'vitest';
import { ec2Tags, launchTags, missingInstanceTags } from './launch-tags.ts';

describe('tags', () => {
  it('of a launch are those of the class, overridden by our own', () => {
    expect(
      launchTags({
        clusterName: 'dev',
        nodeClass: 'c',
        nodePool: 'p',
        tags: { team: 'a', 'karpenter.sh/nodepool': 'x' },
      }),
    ).toEqual({
      team: 'a',
      'kubernetes.io/cluster/dev': 'owned',
      'karpenter.sh/nodepool': 'p',
      'eks:eks-cluster-name': 'dev',
      'karpenter.k8s.aws/ec2nodeclass': 'c',
    });
  });

  it('of a registered instance are only the missing ones', () => {
    const facts = { clusterName: 'dev', nodeName: 'node-1', nodeClaim: 'claim-1' };
    expect(missingInstanceTags(facts, { Name: 'mine', 'eks:eks-cluster-name': 'dev' })).toEqual({
      'karpenter.sh/nodeclaim': 'claim-1',
    });
    expect(missingInstanceTags(facts, {})).toHaveProperty('Name', 'node-1');
  });

  it('are sorted by key', () => {
    expect(ec2Tags({ b: '1', a: '' })).toEqual([
      { Key: 'a', Value: '' },
      { Key: 'b', Value: '1' },
    ]);
  });
});
