import { cloudConformanceCases, type ProviderUnderTest } from '@karpenter/testkit/cloud-conformance';
import { describe, expect, it } from 'vitest';
import { awsCloud, memoryCloud, meteredCloud } from './clouds-under-test.ts';

/** Each makes a new cloud for every case, so that cases do not affect each other. */
const providers: Readonly<Record<string, () => ProviderUnderTest | Promise<ProviderUnderTest>>> = {
  'the cloud in memory': memoryCloud,
  'the cloud in memory with metrics': meteredCloud,
  'the AWS cloud provider on a simulated account': awsCloud,
};

const nameOf = ({ area, title }: { readonly area: string; readonly title: string }) => `${area}: ${title}`;

describe('the conformance cases of a cloud provider', () => {
  const names = cloudConformanceCases.map(nameOf);

  it('have distinct titles', () => {
    expect(names.length).toBeGreaterThanOrEqual(40);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe.each(Object.entries(providers))('%s', (_, create) => {
  for (const { run, ...words } of cloudConformanceCases) it(nameOf(words), async () => run(await create()));
});
