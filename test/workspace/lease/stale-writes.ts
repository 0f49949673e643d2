/** A request that changes something, when it had arrived in full. */
export interface RecordedWrite {
  readonly writer: string;
  /** By a monotonic clock, in milliseconds. */
  readonly at: number;
  /** `POST /apis/karpenter.sh/v1/nodeclaims` or `ec2 createFleet`. */
  readonly what: string;
}

/** A Lease that was written. */
export interface RecordedLease {
  readonly writer: string;
  readonly at: number;
  /** Empty where the lease was given back. */
  readonly holder: string;
  readonly durationMs: number;
}

/**
 * Writes of processes that did not hold the lease when the write arrived: never had it, let it run out, gave it back or
 * lost it to another. In sentences.
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
