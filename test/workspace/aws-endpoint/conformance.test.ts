import { awsConformanceCases } from '@karpenter/testkit/aws-conformance';
import { describe, it } from 'vitest';
import { serveAccount } from './served-account.ts';

describe('the simulated account over HTTP', () => {
  for (const { area, title, run } of awsConformanceCases) {
    it(`${area}: ${title}`, async () => {
      const served = await serveAccount();
      try {
        await run(served.account);
      } finally {
        await served.close();
      }
    });
  }
});
