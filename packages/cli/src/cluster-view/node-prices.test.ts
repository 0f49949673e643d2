import type { PricedNode } from '@karpenter/core/cluster-view';
import { describe, expect, it } from 'vitest';
import { priceWithoutAws } from './node-prices.ts';

function priced({ labels = {}, ...parts }: Partial<PricedNode>) {
  return priceWithoutAws({
    instanceType: 'm5.large',
    zone: 'us-west-2a',
    capacityType: 'on-demand',
    labels: { 'topology.kubernetes.io/region': 'us-west-2', ...labels },
    ...parts,
  });
}

const label = 'eks-node-viewer/instance-price';

describe('the price of a node', () => {
  it('is that of the catalogue on demand', () => {
    expect(priced({})).toEqual({ hourly: 0.096, onDemand: 0.096, source: 'catalogue' });
  });

  it('is an estimated share of it for spot, whatever the zone', () => {
    const price = { hourly: 0.0336, onDemand: 0.096, source: 'catalogue', isEstimated: true };
    expect(priced({ capacityType: 'spot' })).toEqual(price);
    expect(priced({ capacityType: 'spot', zone: 'us-west-2-wl1-las-wlz-1' })).toEqual(price);
  });

  it('is the price on demand for a reservation, which is billed at that rate used or not', () => {
    expect(priced({ capacityType: 'reserved' })).toMatchObject({ hourly: 0.096 });
  });

  it('is that of its region, and an estimate only where the price list of the region lacks the family', () => {
    const labels = { 'topology.kubernetes.io/region': 'sa-east-1' };
    expect(priced({ labels })).toEqual({ hourly: 0.153, onDemand: 0.153, source: 'catalogue' });
    expect(priced({ labels, instanceType: 'm9g.large' })).toMatchObject({ isEstimated: true });
    expect(priced({ labels: { 'topology.kubernetes.io/region': 'mars-north-1' } })).toMatchObject({
      hourly: 0.096,
      isEstimated: true,
    });
  });

  it('has the fee of EKS Auto Mode added', () => {
    expect(priced({ labels: { 'eks.amazonaws.com/compute-type': 'auto' } })).toEqual({
      hourly: 0.10752,
      onDemand: 0.10752,
      source: 'catalogue',
      isEstimated: true,
    });
  });

  it('is the label before everything else, and compared with the catalogue for spot', () => {
    expect(priced({ labels: { [label]: '0.05' }, capacityType: 'spot' })).toEqual({
      hourly: 0.05,
      onDemand: 0.096,
      source: 'label',
    });
    expect(priced({ labels: { [label]: '0.152026' }, instanceType: 'c-8x-amd64-linux' })).toEqual({
      hourly: 0.152026,
      onDemand: 0.152026,
      source: 'label',
    });
    expect(priced({ labels: { [label]: '0', 'kubernetes.io/os': 'windows' } })).toMatchObject({ hourly: 0 });
  });

  it.each(['free', '', '-1', 'NaN', '1e3', '0x10'])('ignores the label value %j', (value) => {
    expect(priced({ labels: { [label]: value } })).toMatchObject({ hourly: 0.096, source: 'catalogue' });
  });

  it('is that of the size for Fargate', () => {
    expect(priced({ capacityType: 'fargate', instanceType: '0.25vCPU 0.5GB' })).toMatchObject({
      hourly: 0.012343,
    });
  });

  it.each<[string, Partial<PricedNode>]>([
    ['an unknown type', { instanceType: 'm5.huge' }],
    ['Windows', { labels: { 'kubernetes.io/os': 'windows' } }],
    [
      'a region that bills in another currency',
      { labels: { 'topology.kubernetes.io/region': 'cn-north-1' } },
    ],
    [
      'a capacity block',
      {
        capacityType: 'reserved',
        labels: { 'karpenter.k8s.aws/capacity-reservation-type': 'capacity-block' },
      },
    ],
    ['a Fargate pod of unknown size', { capacityType: 'fargate', instanceType: 'odd' }],
  ])('is unknown for %s', (_what, parts) => {
    expect(priced(parts)).toBeUndefined();
  });
});
