import { awsLabelPolicy } from '@karpenter/aws';
import { describe, expect, it } from 'vitest';
import { catalogueInstanceTypes } from './type-list.ts';

const types = new Map(catalogueInstanceTypes().map((type) => [type.name, type]));

function labelsOf(name: string): Readonly<Record<string, readonly string[] | undefined>> {
  const requirements = types.get(name)?.requirements ?? [];
  return Object.fromEntries(requirements.map(({ key, values }) => [key, values]));
}

describe('instance types of the catalogue', () => {
  it('are offered in three zones, spot at 35 % of the on-demand price', () => {
    const { offerings = [] } = types.get('m5.xlarge') ?? {};
    expect(offerings.map(({ price, available }) => [price, available])).toEqual(
      [0.192, 0.0672, 0.192, 0.0672, 0.192, 0.0672].map((price) => [price, true]),
    );
    expect(labelsOf('m5.xlarge')['topology.kubernetes.io/zone']).toEqual([
      'us-west-2a',
      'us-west-2b',
      'us-west-2c',
    ]);
  });

  it('leave 7.5 % of the memory to the hypervisor and reserve resources by the formula of EKS', () => {
    expect(types.get('m5.xlarge')).toMatchObject({
      capacity: { cpu: '4', memory: '15155Mi', pods: '58', 'ephemeral-storage': '20Gi' },
      overhead: {
        kubeReserved: { cpu: '80m', memory: '893Mi', 'ephemeral-storage': '1Gi' },
        evictionThreshold: { memory: '100Mi', 'ephemeral-storage': '2.147483648e+09' },
      },
    });
  });

  it('carry the labels of AWS', () => {
    expect(labelsOf('g4dn.8xlarge')).toMatchObject({
      'kubernetes.io/arch': ['amd64'],
      'karpenter.k8s.aws/instance-category': ['g'],
      'karpenter.k8s.aws/instance-generation': ['4'],
      'karpenter.k8s.aws/instance-family': ['g4dn'],
      'karpenter.k8s.aws/instance-size': ['8xlarge'],
      'karpenter.k8s.aws/instance-capability-flex': ['false'],
      'karpenter.k8s.aws/instance-cpu': ['32'],
      'karpenter.k8s.aws/instance-cpu-manufacturer': ['intel'],
      'karpenter.k8s.aws/instance-memory': ['131072'],
      'karpenter.k8s.aws/instance-hypervisor': ['nitro'],
      'karpenter.k8s.aws/instance-local-nvme': ['900'],
      'karpenter.k8s.aws/instance-gpu-name': ['t4'],
      'karpenter.k8s.aws/instance-gpu-manufacturer': ['nvidia'],
      'karpenter.k8s.aws/instance-gpu-count': ['1'],
      'karpenter.k8s.aws/instance-gpu-memory': ['16384'],
      'karpenter.k8s.aws/instance-tenancy': ['dedicated', 'default'],
    });
    expect(types.get('g4dn.8xlarge')?.capacity['nvidia.com/gpu']).toBe('1');
  });

  it('have a requirement for every well-known label, DoesNotExist included', () => {
    const elsewhere = [
      'karpenter.sh/nodepool',
      // Only types of a class with a placement group speak of it.
      'karpenter.k8s.aws/placement-group-id',
      'karpenter.k8s.aws/placement-group-partition',
    ];
    const known = [...awsLabelPolicy.wellKnown].filter((key) => !elsewhere.includes(key));
    expect(Object.keys(labelsOf('m7g.large')).sort()).toEqual(known.sort());
    expect(types.get('m7g.large')?.requirements).toContainEqual({
      key: 'karpenter.k8s.aws/instance-gpu-count',
      operator: 'DoesNotExist',
    });
  });
});
