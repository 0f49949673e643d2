import { CodedError } from '@karpenter/core/errors';
import type { Log } from '@karpenter/core/ports';
import { errorText, hasCode } from '../aws-errors/index.ts';
import { type AwsError, type Ec2, type Eks, isAwsError } from '../ports/index.ts';

/** Makes one dry-run call, so that a process without access to EC2 fails at start-up, as in Karpenter. */
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

/** Runs work that the process cannot start without. An AWS error becomes one sentence with the call and advice. */
export async function atStart<T>(work: () => Promise<T>, alternative?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isAwsError(error) ? startFailure(error, alternative) : error;
  }
}

function startFailure(error: AwsError, alternative: string | undefined): CodedError {
  const { service, operation, code } = error;
  const why = errorText(error).replaceAll(/\s+/g, ' ').replace(/\.$/, '');
  // Without credentials or network all other calls fail too, so that the alternative would not help.
  const isOnlyThisCall = alternative !== undefined && (deniedCodes.test(code) || notFoundCodes.test(code));
  const advice = isOnlyThisCall ? `${adviceFor(error)}, ${alternative}` : adviceFor(error);
  return new CodedError(
    'aws-call-failed',
    `cannot start: ${service} ${operation} failed: ${why}; ${advice}`,
    {
      details: { service, operation, code },
      cause: error,
    },
  );
}

const notFoundCodes = /NotFound/;
const deniedCodes = /AccessDenied|UnauthorizedOperation|NotAuthorized|AuthFailure/;
const credentialCodes = /Credential|Token|SignatureDoesNotMatch|UnrecognizedClient|AuthFailure/;

function adviceFor({ code, service, operation, statusCode }: AwsError): string {
  if (deniedCodes.test(code))
    return `allow ${service.toLowerCase()}:${operation} in the policy of the controller`;
  if (credentialCodes.test(code)) return 'give the process credentials of AWS that are valid';
  if (notFoundCodes.test(code)) return 'check the name of the cluster and the region';
  return statusCode === 0 ? 'check the region and the way to the service' : 'try again later';
}

export interface EndpointSources {
  readonly eks: Pick<Eks, 'describeCluster'>;
  readonly settings: { readonly clusterName: string; readonly clusterEndpoint: string };
  readonly log: Log;
}

/** The endpoint of the API server for nodes: from the settings, else from EKS. */
export async function clusterEndpoint({ eks, settings, log }: EndpointSources): Promise<string> {
  if (settings.clusterEndpoint !== '') return settings.clusterEndpoint;
  const { clusterName } = settings;
  const { cluster } = await atStart(
    () => eks.describeCluster({ name: clusterName }),
    'or set CLUSTER_ENDPOINT',
  );
  if (cluster?.endpoint === undefined) {
    throw new CodedError(
      'aws-call-failed',
      `EKS does not tell the endpoint of cluster ${clusterName}; set CLUSTER_ENDPOINT`,
    );
  }
  log.debug('discovered cluster endpoint', { 'cluster-endpoint': cluster.endpoint });
  return cluster.endpoint;
}
