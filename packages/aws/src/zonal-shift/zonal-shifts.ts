import { CodedError } from '@karpenter/core/errors';
import type { Clock, Instant } from '@karpenter/kube/runtime';
import type { ShiftedZones } from '../offerings/index.ts';
import type { Eks, ZonalShiftService } from '../ports/index.ts';

export interface ZonalShiftOptions {
  readonly services: { readonly eks: Eks; readonly zonalShift: ZonalShiftService };
  readonly clusterName: string;
  /** Whether the setting is on; otherwise no zone is ever shifted and nothing is asked. */
  readonly isEnabled: boolean;
  readonly clock: Pick<Clock, 'now'>;
}

/** Zones that traffic is shifted away from, as AWS said last. A shift that has expired is over without being asked about. */
export class ZonalShifts implements ShiftedZones {
  readonly #options: ZonalShiftOptions;
  #expiries: ReadonlyMap<string, Instant> = new Map();
  #arn: string | undefined;
  #version = 0;

  constructor(options: ZonalShiftOptions) {
    this.#options = options;
  }

  get version(): number {
    this.#forgetExpired();
    return this.#version;
  }

  has(zoneId: string): boolean {
    const expiry = this.#expiries.get(zoneId);
    return expiry !== undefined && this.#options.clock.now() < expiry;
  }

  /** Ids of the zones. */
  get zoneIds(): ReadonlySet<string> {
    this.#forgetExpired();
    return new Set(this.#expiries.keys());
  }

  /** If it fails, what was known stays. */
  async refresh(): Promise<ReadonlySet<string>> {
    const { services, isEnabled } = this.#options;
    if (!isEnabled) return this.zoneIds;
    const { zonalShifts = [] } = await services.zonalShift.getManagedResource({
      resourceIdentifier: await this.#clusterArn(),
    });
    const applied = zonalShifts.filter(({ appliedStatus }) => appliedStatus === 'APPLIED');
    this.#replace(new Map(applied.map(({ awayFrom, expiryTime }) => [awayFrom, expiryTime.getTime()])));
    return this.zoneIds;
  }

  #replace(expiries: ReadonlyMap<string, Instant>): void {
    this.#forgetExpired();
    const before = this.#expiries;
    this.#expiries = expiries;
    const isSame = before.size === expiries.size && [...before.keys()].every((id) => expiries.has(id));
    if (!isSame) this.#version += 1;
    this.#forgetExpired();
  }

  #forgetExpired(): void {
    const now = this.#options.clock.now();
    const lasting = [...this.#expiries].filter(([, expiry]) => now < expiry);
    if (lasting.length === this.#expiries.size) return;
    this.#expiries = new Map(lasting);
    this.#version += 1;
  }

  async #clusterArn(): Promise<string> {
    if (this.#arn !== undefined) return this.#arn;
    const { services, clusterName } = this.#options;
    const { cluster } = await services.eks.describeCluster({ name: clusterName });
    if (cluster?.arn === undefined) {
      throw new CodedError('aws-call-failed', `EKS does not tell the ARN of cluster ${clusterName}`);
    }
    this.#arn = cluster.arn;
    return cluster.arn;
  }
}
