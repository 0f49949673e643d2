import { instanceType } from '@karpenter/ec2-catalogue';
import { describe, expect, it } from 'vitest';
import type { EC2NodeClassSpec } from '../node-class/index.ts';
import { classFactsOf } from './class-facts.ts';
import type { DescribedType } from './described-type.ts';
import { nodePrice } from './node-price.ts';

const described = (name: string): DescribedType => instanceType(name) ?? { InstanceType: name };

function priceOf(spec: Partial<EC2NodeClassSpec>, name = 'm7i.large', region = 'us-east-1') {
  const amiSelectorTerms = [{ alias: 'al2023@latest' }];
  return nodePrice(described(name), classFactsOf({ spec: { amiSelectorTerms, ...spec } }).node, region);
}

const perMonth = (price: number | undefined) => Math.round((price ?? 0) * 730 * 100) / 100;

describe('what a node costs besides its instance', () => {
  it('is its default volume without anything in the class', () => {
    expect(perMonth(priceOf({}).nodeOverheadPrice)).toBe(1.6);
    expect(
      perMonth(priceOf({ amiSelectorTerms: [{ alias: 'bottlerocket@latest' }] }).nodeOverheadPrice),
    ).toBe(1.92);
  });

  it('is that of the region', () => {
    expect(perMonth(priceOf({}, 'm7i.large', 'us-west-2').nodeOverheadPrice)).toBe(1.6);
    expect(perMonth(priceOf({}, 'm7i.large', 'sa-east-1').nodeOverheadPrice)).toBe(3.04);
  });

  it('is all its volumes, each by type, size, IOPS and throughput', () => {
    const blockDeviceMappings: EC2NodeClassSpec['blockDeviceMappings'] = [
      { deviceName: '/dev/xvda', ebs: { volumeSize: '100Gi', volumeType: 'gp3', iops: 4000 } },
      { deviceName: '/dev/xvdb', ebs: { volumeSize: '50Gi', volumeType: 'gp2' } },
      { deviceName: '/dev/xvdc', ebs: { snapshotID: 'snap-1', volumeType: 'gp3' } },
    ];
    expect(perMonth(priceOf({ blockDeviceMappings }).nodeOverheadPrice)).toBe(18);
  });

  it('counts a public address only where the class associates one', () => {
    expect(priceOf({ associatePublicIPAddress: true }).nodeOverheadPrice).toBeCloseTo(
      (priceOf({ associatePublicIPAddress: false }).nodeOverheadPrice ?? 0) + 0.005,
      12,
    );
  });
});

describe('CPU beyond the baseline', () => {
  it('costs by architecture and operating system', () => {
    expect(priceOf({}, 't4g.small').burst).toEqual({ baseline: 0.4, surplusPrice: 0.04 });
    expect(priceOf({}, 't3.2xlarge').burst).toEqual({ baseline: 3.2, surplusPrice: 0.05 });
    const windows = [{ alias: 'windows2022@latest' }];
    expect(priceOf({ amiSelectorTerms: windows }, 't3.large').burst).toEqual({
      baseline: 0.6,
      surplusPrice: 0.096,
    });
  });

  it('does not exist on other types', () => {
    expect(priceOf({}, 'm7i.large').burst).toBeUndefined();
  });
});
