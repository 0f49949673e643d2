import { AwsRefusal, recordedCall } from '@karpenter/testkit/aws-calls';
import { describe, expect, it } from 'vitest';
import { ClusterCidr } from './cluster-cidr.ts';

type Network = { readonly serviceIpv4Cidr?: string; readonly serviceIpv6Cidr?: string };
const answering = (answer: () => Network) => {
  const describeCluster = recordedCall(() => ({ cluster: { kubernetesNetworkConfig: answer() } }));
  return {
    cidr: new ClusterCidr({ eks: { describeCluster }, clusterName: 'dev' }),
    asked: describeCluster.inputs,
  };
};

describe('the service CIDR', () => {
  it('is requested once, IPv4 before IPv6', async () => {
    const { cidr, asked } = answering(() => ({
      serviceIpv4Cidr: '10.0.0.0/16',
      serviceIpv6Cidr: 'fd00::/108',
    }));
    expect(cidr.known).toBeUndefined();
    expect(await cidr.resolve()).toEqual({ cidr: '10.0.0.0/16' });
    expect(await cidr.resolve()).toEqual({ cidr: '10.0.0.0/16' });
    expect([asked.length, cidr.known]).toEqual([1, '10.0.0.0/16']);
    expect(await answering(() => ({ serviceIpv6Cidr: 'fd00::/108' })).cidr.resolve()).toEqual({
      cidr: 'fd00::/108',
    });
  });

  it('is retried after a server fault of EKS and fails otherwise', async () => {
    const refused = (fault: 'client' | 'server') =>
      answering(() => {
        throw new AwsRefusal('AccessDenied', 'no', fault);
      }).cidr.resolve();
    expect(await refused('server')).toHaveProperty('retry');
    expect(await refused('client')).toMatchObject({
      failure: { reason: 'ClusterCIDRResolutionFailed', message: 'Failed to detect the cluster CIDR' },
    });
    expect(await answering(() => ({})).cidr.resolve()).toHaveProperty('failure');
  });
});
