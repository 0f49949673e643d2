import { describe, expect, it } from 'vitest';
import { usualPlace } from '../region/index.ts';
import { inZones } from './node-class.ts';
import { defaultSettings, typeList } from './type-list.ts';

const region = 'us-east-1';

function architectures(alias: string): ReadonlySet<string | undefined> {
  const nodeClass = inZones({ spec: { amiSelectorTerms: [{ alias }] } }, usualPlace(region).zones);
  const list = typeList({ nodeClass, region, settings: defaultSettings });
  return new Set(
    list.map(({ requirements }) => requirements.find(({ key }) => key === 'kubernetes.io/arch')?.values?.[0]),
  );
}

describe('the instance types of a NodeClass', () => {
  it.each(['windows2019@latest', 'windows2022@latest', 'windows2025@latest'])(
    'are amd64 only for %s, which has no other images',
    (alias) => {
      expect(architectures(alias)).toEqual(new Set(['amd64']));
    },
  );

  it('contain previous generations and no Macs, on which no node can run', () => {
    const nodeClass = inZones(
      { spec: { amiSelectorTerms: [{ alias: 'al2023@latest' }] } },
      usualPlace(region).zones,
    );
    const names = typeList({ nodeClass, region, settings: defaultSettings }).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['t2.micro', 'm4.large', 'c4.8xlarge', 'r3.8xlarge', 'd2.xlarge']),
    );
    expect(names.filter((name) => name.startsWith('mac'))).toEqual([]);
  });

  it('are of both architectures on Linux', () => {
    expect(architectures('al2023@latest')).toEqual(new Set(['amd64', 'arm64']));
  });

  it('of a file are all listed, also those that the AMI family cannot run', () => {
    const nodeClass = inZones(
      { spec: { amiSelectorTerms: [{ alias: 'windows2022@latest' }] } },
      usualPlace(region).zones,
    );
    const types = [{ InstanceType: 'm6g.large', ProcessorInfo: { SupportedArchitectures: ['arm64'] } }];
    const [only] = typeList({ nodeClass, region, settings: defaultSettings, types });
    expect(only?.name).toBe('m6g.large');
    expect(only?.offerings.some(({ available }) => available)).toBe(false);
  });
});
