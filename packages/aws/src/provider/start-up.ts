import { CodedError } from '@karpenter/core/errors';
import type { Log } from '@karpenter/core/ports';
import { errorText, hasCode } from '../aws-errors/index.ts';
import type { Ec2, Eks } from '../ports/index.ts';

/** Tries one harmless call, so that a process which cannot work says so at once. */
export async function checkAccess(ec2: Pick<Ec2, 'describeInstanceTypes'>, region: string): Promise<void> {
  try {
    await ec2.describeInstanceTypes({ DryRun: true });
  } catch (cause) {
    if (hasCode(cause, 'DryRunOperation')) return;
    throw new CodedError(
      'aws-call-failed',
      `cannot call EC2 in region ${region}: ${errorText(cause)}; check the region, the credentials and the way to the service`,
      { details: { region }, cause },
    );
  }
}

export interface EndpointSources {
  readonly eks: Pick<Eks, 'describeCluster'>;
  readonly settings: { readonly clusterName: string; readonly clusterEndpoint: string };
  readonly log: Log;
}

/** The API server that nodes talk to: as the settings say, else as EKS knows it. */
export async function clusterEndpoint({ eks, settings, log }: EndpointSources): Promise<string> {
  if (settings.clusterEndpoint !== '') return settings.clusterEndpoint;
  const { clusterName } = settings;
  const { cluster } = await eks.describeCluster({ name: clusterName });
  if (cluster?.endpoint === undefined) {
    throw new CodedError(
      'aws-call-failed',
      `EKS does not tell the endpoint of cluster ${clusterName}; set CLUSTER_ENDPOINT`,
    );
  }
  log.debug('discovered cluster endpoint', { 'cluster-endpoint': cluster.endpoint });
  return cluster.endpoint;
}
