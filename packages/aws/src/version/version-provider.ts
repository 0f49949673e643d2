import { CodedError } from '@karpenter/core/errors';
import type { Log } from '@karpenter/core/ports';
import type { Eks } from '../ports/index.ts';

/** Minor versions of Kubernetes 1 that this release is tested with. */
const supportedMinors = { first: 26, last: 36 } as const;

export interface VersionOptions {
  readonly eks: Pick<Eks, 'describeCluster'>;
  readonly clusterName: string;
  /** Whether to read the version from EKS instead of the API server. */
  readonly eksControlPlane: boolean;
  /** `/version` of the API server. */
  readonly serverVersion: () => Promise<{ readonly major: string; readonly minor: string }>;
  readonly log?: Log;
}

/** The Kubernetes version of the cluster, which decides which AMIs an alias means. */
export class VersionProvider {
  readonly #options: VersionOptions;
  #cached: string | undefined;

  constructor(options: VersionOptions) {
    this.#options = options;
  }

  /** Returns the cached version, such as `1.35`; fetches it if there is none. */
  async get(): Promise<string> {
    return this.#cached ?? this.#fetch();
  }

  /** Fetches the version again. Reports an unsupported version once, when it is first seen, and uses it anyway. */
  async refresh(): Promise<{ readonly version: string; readonly unsupported?: CodedError }> {
    const before = this.#cached;
    const version = await this.#fetch();
    if (version === before || isSupported(version)) return { version };
    const { first, last } = supportedMinors;
    const unsupported = new CodedError(
      'unsupported-version',
      `Kubernetes ${version} is not supported: this release is made for 1.${first} to 1.${last}`,
      { details: { version } },
    );
    return { version, unsupported };
  }

  async #fetch(): Promise<string> {
    const version = this.#options.eksControlPlane ? await this.#fromEks() : await this.#fromServer();
    if (version !== this.#cached) this.#options.log?.debug('discovered kubernetes version', { version });
    this.#cached = version;
    return version;
  }

  async #fromEks(): Promise<string> {
    const { cluster } = await this.#options.eks.describeCluster({ name: this.#options.clusterName });
    if (cluster?.version !== undefined) return cluster.version;
    throw new CodedError(
      'aws-call-failed',
      `EKS does not tell the version of cluster ${this.#options.clusterName}`,
    );
  }

  /** Some distributions append a plus sign: `35+`. */
  async #fromServer(): Promise<string> {
    const { major, minor } = await this.#options.serverVersion();
    return `${major}.${minor.replace(/\+$/, '')}`;
  }
}

function isSupported(version: string): boolean {
  const [major = '', minor = ''] = version.split('.');
  const number = Number(minor);
  return major === '1' && number >= supportedMinors.first && number <= supportedMinors.last;
}
