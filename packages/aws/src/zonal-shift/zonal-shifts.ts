import { CodedError } from '@karpenter/core/errors';
import type { Clock, Instant } from '@karpenter/kube/runtime';
import type { ShiftedZones } from '../offerings/index.ts';
import type { Eks, ZonalShiftService } from '../ports/index.ts';

export interface ZonalShiftOptions {
  readonly services: { readonly eks: Pick<Eks, 'describeCluster'>; readonly zonalShift: ZonalShiftService };
  readonly clusterName: string;
  /** Whether the setting is on. If not, no zone counts as shifted and AWS is not called. */
  readonly isEnabled: boolean;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Zones with an active zonal shift as of the last refresh.
 * Shifts end at their expiry time without another refresh.
 */
export class ZonalShifts implements ShiftedZones {
  readonly #options: ZonalShiftOptions;
  #expiries: ReadonlyMap<string, Instant> = new Map();
  #arn: string | undefined;
  #version = 0;

  constructor(options: ZonalShiftOptions) {
    this.#options = options;
  }

  /** Increases when a shift starts or ends. */
  get version(): number {
    this.#dropExpired();
    return this.#version;
  }

  has(zoneId: string): boolean {
    const expiry = this.#expiries.get(zoneId);
    return expiry !== undefined && this.#options.clock.now() < expiry;
  }

  /** Ids of the shifted zones. */
  get zoneIds(): ReadonlySet<string> {
    this.#dropExpired();
    return new Set(this.#expiries.keys());
  }

  /** Reads the shifts from AWS. Rejects if AWS fails, and then keeps the previous ones. */
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

  /** A shift that ended early ends here too; Karpenter keeps it while other zones are shifted (ADR 0022). */
  #replace(expiries: ReadonlyMap<string, Instant>): void {
    this.#dropExpired();
    const before = this.#expiries;
    this.#expiries = expiries;
    const isSame = before.size === expiries.size && [...before.keys()].every((id) => expiries.has(id));
    if (!isSame) this.#version += 1;
    this.#dropExpired();
  }

  #dropExpired(): void {
    const now = this.#options.clock.now();
    const active = [...this.#expiries].filter(([, expiry]) => now < expiry);
    if (active.length === this.#expiries.size) return;
    this.#expiries = new Map(active);
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
