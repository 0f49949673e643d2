import { CodedError } from '@karpenter/core/errors';

const metadataService = 'http://169.254.169.254/latest';

export interface RegionSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof fetch;
}

/** The AWS region: from the environment, else from the instance metadata service. */
export async function discoverRegion({ env, fetch: request }: RegionSources): Promise<string> {
  const configured = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'];
  if (configured) return configured;
  try {
    return await regionOfInstance(request);
  } catch (cause) {
    throw new CodedError(
      'unknown-region',
      'cannot tell the AWS region: AWS_REGION is not set and the instance metadata service does not answer; set AWS_REGION',
      { cause },
    );
  }
}

async function regionOfInstance(request: typeof fetch): Promise<string> {
  const token = await textOf(
    await request(`${metadataService}/api/token`, {
      method: 'PUT',
      headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '60' },
      signal: AbortSignal.timeout(2000),
    }),
  );
  return textOf(
    await request(`${metadataService}/meta-data/placement/region`, {
      headers: { 'x-aws-ec2-metadata-token': token },
      signal: AbortSignal.timeout(2000),
    }),
  );
}

async function textOf(response: Response): Promise<string> {
  const text = await response.text();
  if (response.ok && text !== '') return text;
  throw new Error(`the metadata service answered with status ${response.status}`);
}
