import { describe, expect, it } from 'vitest';
import { convertStored } from './stored-versions.ts';

const stored = {
  apiVersion: 'karpenter.sh/v1beta1',
  kind: 'NodePool',
  metadata: { name: 'default', uid: '1', resourceVersion: '7' },
  spec: {
    template: {
      spec: {
        nodeClassRef: { apiVersion: 'karpenter.k8s.aws/v1beta1', kind: 'EC2NodeClass', name: 'default' },
        requirements: [],
      },
    },
    disruption: { consolidationPolicy: 'WhenUnderutilized', expireAfter: '720h' },
  },
};

describe('a stored v1beta1 object', () => {
  it('is converted to v1 with its identity, and back to what it was', async () => {
    const converted = await convertStored(stored, 'karpenter.sh/v1');
    expect(converted).toMatchObject({
      apiVersion: 'karpenter.sh/v1',
      metadata: { name: 'default', uid: '1', resourceVersion: '7' },
      spec: {
        disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' },
        template: { spec: { expireAfter: '720h', nodeClassRef: { group: 'karpenter.k8s.aws' } } },
      },
    });
    expect(await convertStored(converted, 'karpenter.sh/v1beta1')).toEqual(stored);
  });

  it('is refused with a sentence when there is no conversion', () => {
    expect(() => convertStored(stored, 'karpenter.sh/v2')).toThrow(/cannot be converted to karpenter.sh\/v2/);
  });
});
