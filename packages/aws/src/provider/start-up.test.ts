import { CodedError } from '@karpenter/core/errors';
import { AwsRefusal, RecordedLogText } from '@karpenter/testkit/aws-calls';
import { describe, expect, it } from 'vitest';
import { atStart, clusterEndpoint } from './start-up.ts';

async function failureOf(error: Error): Promise<unknown> {
  const eks = {
    describeCluster: async (): Promise<never> => {
      throw error;
    },
  };
  const settings = { clusterName: 'prod', clusterEndpoint: '' };
  return clusterEndpoint({ eks, settings, log: new RecordedLogText() }).catch((thrown: unknown) => thrown);
}

describe('a call of AWS that fails at the start', () => {
  it.each([
    ['AccessDeniedException', /allow .*:.* in the policy of the controller, or set CLUSTER_ENDPOINT$/],
    ['CredentialsProviderError', /; give the process credentials of AWS that are valid$/],
    ['ResourceNotFoundException', /; check the name of the cluster and the region, or set CLUSTER_ENDPOINT$/],
    ['ServerException', /; try again later$/],
  ])('is reported in one sentence that says what to do about %s', async (code, text) => {
    const failure = await failureOf(new AwsRefusal(code));
    expect(failure).toBeInstanceOf(CodedError);
    expect(failure).toMatchObject({ code: 'aws-call-failed', message: expect.stringMatching(text) });
    expect(failure).toMatchObject({ message: expect.stringContaining(code) });
    expect(String(failure)).not.toContain('\n');
  });

  it('stays what it is if it is no failure of AWS', async () => {
    const error = new Error('a bug');
    await expect(atStart(() => Promise.reject(error))).rejects.toBe(error);
  });
});
