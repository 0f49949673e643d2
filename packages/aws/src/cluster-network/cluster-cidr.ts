import type { Log } from '@karpenter/core/ports';
import { ec2NodeClassReasons } from '../names/index.ts';
import { type Eks, isAwsError } from '../ports/index.ts';
import type { ResolutionFailure } from '../resolution/index.ts';

/**
 * Result of the lookup. `retry` is a server fault of EKS; `failure` goes into the status of the EC2NodeClass.
 */
export type CidrOutcome =
  | { readonly cidr: string }
  | { readonly retry: unknown }
  | { readonly failure: ResolutionFailure; readonly cause: unknown };

export interface ClusterCidrOptions {
  readonly eks: Pick<Eks, 'describeCluster'>;
  readonly clusterName: string;
  readonly log?: Log;
}

/** The service CIDR of the cluster. It never changes, so it is requested once. */
export class ClusterCidr {
  readonly #eks: Pick<Eks, 'describeCluster'>;
  readonly #clusterName: string;
  readonly #log: Log | undefined;
  #cached: string | undefined;

  constructor({ eks, clusterName, log }: ClusterCidrOptions) {
    this.#eks = eks;
    this.#log = log;
    this.#clusterName = clusterName;
  }

  /** The CIDR if it was resolved already. */
  get known(): string | undefined {
    return this.#cached;
  }

  async resolve(): Promise<CidrOutcome> {
    if (this.#cached !== undefined) return { cidr: this.#cached };
    try {
      const { cluster } = await this.#eks.describeCluster({ name: this.#clusterName });
      const { serviceIpv4Cidr, serviceIpv6Cidr } = cluster?.kubernetesNetworkConfig ?? {};
      const cidr = serviceIpv4Cidr ?? serviceIpv6Cidr;
      if (cidr === undefined) return failed(new Error('EKS tells no addresses of services'));
      this.#cached = cidr;
      this.#log?.debug('discovered cluster CIDR', { 'cluster-cidr': cidr });
      return { cidr };
    } catch (error) {
      return isAwsError(error) && error.fault === 'server' ? { retry: error } : failed(error);
    }
  }
}

function failed(cause: unknown): CidrOutcome {
  return { failure: ec2NodeClassReasons.clusterCidrResolutionFailed, cause };
}
