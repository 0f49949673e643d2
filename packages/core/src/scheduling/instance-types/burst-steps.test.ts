import { instanceType, planOptions, pods, pool, snapshot } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import type { InstanceType } from '../../ports/index.ts';
import { plan } from '../plan.ts';

const burst = { baseline: 0.4, surplusPrice: 0.04 };
const burstable: InstanceType = {
  ...instanceType('t4g.small', { price: 0.0168, cpu: '2', memory: '2Gi' }),
  burst,
};
const steady = instanceType('c7g.medium', { price: 0.0363, cpu: '1', memory: '2Gi' });
const larger = instanceType('c7g.4xlarge', { price: 0.58, cpu: '16', memory: '32Gi' });

interface Given {
  readonly count?: number;
  readonly cpu: string;
  readonly types?: readonly InstanceType[];
  readonly minTypes?: number;
}

function planned({ count = 1, cpu, types = [burstable, steady, larger], minTypes }: Given) {
  const requirements =
    minTypes === undefined
      ? []
      : [{ key: 'node.kubernetes.io/instance-type', operator: 'Exists' as const, minValues: minTypes }];
  return plan(
    snapshot({
      pods: pods(count, 'web', { cpu, memory: '256Mi' }),
      pools: [pool('default', { requirements })],
      types,
    }),
    planOptions,
  );
}

describe('a burstable type', () => {
  it('is used for pods that request no more CPU than its baseline', () => {
    const [node] = planned({ cpu: '400m' }).newNodes;
    expect(node).toMatchObject({ price: 0.0168, instanceTypes: ['t4g.small', 'c7g.medium', 'c7g.4xlarge'] });
  });

  it('is left to others where the CPU of the pods costs more there, and a launch cannot choose it', () => {
    const [node] = planned({ cpu: '900m' }).newNodes;
    expect(node).toMatchObject({ price: 0.0363, instanceTypes: ['c7g.medium', 'c7g.4xlarge'] });
  });

  it('is not bought once for each of many pods', () => {
    const large = instanceType('c7g.large', { price: 0.0725, cpu: '2', memory: '4Gi' });
    const { newNodes } = planned({ count: 40, cpu: '1', types: [burstable, large, larger] });
    expect(newNodes.flatMap(({ instanceTypes }) => instanceTypes)).not.toContain('t4g.small');
  });

  it('is used beyond its baseline where no other type holds the pods', () => {
    const { newNodes, rejections } = planned({ count: 3, cpu: '1800m', types: [burstable] });
    expect(rejections).toEqual([]);
    expect(newNodes.map(({ price }) => price)).toEqual([0.0168, 0.0168, 0.0168]);
  });

  it('stays a choice of the launch where minValues needs it', () => {
    const [node] = planned({ cpu: '900m', minTypes: 3 }).newNodes;
    expect(new Set(node?.instanceTypes)).toEqual(new Set(['t4g.small', 'c7g.medium', 'c7g.4xlarge']));
  });
});
