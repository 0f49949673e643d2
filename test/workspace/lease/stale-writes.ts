/** A request that changes something, at the time when it had arrived in full. */
export interface RecordedWrite {
  readonly writer: string;
  /** Monotonic time in milliseconds. */
  readonly at: number;
  /** `POST /apis/karpenter.sh/v1/nodeclaims` or `ec2 createFleet`. */
  readonly what: string;
}

/** A write of the Lease. */
export interface RecordedLease {
  readonly writer: string;
  readonly at: number;
  /** Empty if the lease was released. */
  readonly holder: string;
  readonly durationMs: number;
}

/**
 * Writes of processes that did not hold the lease when the write arrived: never acquired, expired, released,
 * or lost to another process. In sentences.
 */
export function staleWrites(
  writes: readonly RecordedWrite[],
  leases: readonly RecordedLease[],
): readonly string[] {
  return writes.flatMap(({ writer, at, what }) => {
    const lease = leases.findLast((one) => one.at <= at);
    if (lease === undefined || lease.holder === '')
      return [`${what} by ${writer} while nobody held the lease`];
    if (lease.writer !== writer) return [`${what} by ${writer} while ${lease.writer} held the lease`];
    const late = Math.round(at - lease.at - lease.durationMs);
    return late > 0 ? [`${what} by ${writer} ${late} ms after its lease had run out`] : [];
  });
}
