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

export interface StaleWrite {
  readonly writer: string;
  /** In a sentence. */
  readonly why: string;
}

/**
 * Writes of processes that did not hold the lease when the write arrived: never acquired, expired, released,
 * or lost to another process.
 */
export function staleWrites(
  writes: readonly RecordedWrite[],
  leases: readonly RecordedLease[],
): readonly StaleWrite[] {
  return writes.flatMap((write) => {
    const why = whyStale(
      write,
      leases.findLast(({ at }) => at <= write.at),
    );
    return why === undefined ? [] : [{ writer: write.writer, why }];
  });
}

function whyStale({ writer, at, what }: RecordedWrite, lease: RecordedLease | undefined): string | undefined {
  if (lease === undefined || lease.holder === '') return `${what} by ${writer} while nobody held the lease`;
  if (lease.writer !== writer) return `${what} by ${writer} while ${lease.writer} held the lease`;
  const late = Math.round(at - lease.at - lease.durationMs);
  return late > 0 ? `${what} by ${writer} ${late} ms after its lease had run out` : undefined;
}

/**
 * Divides the writes of processes that were each stopped once. A process that is stopped between the check of the fence
 * and the system call sends that one write when it resumes, which nothing in the process can prevent. More than one
 * write means that the fence let it pass.
 */
export function divideStaleWrites(writes: readonly StaleWrite[]): {
  readonly unpreventable: readonly string[];
  readonly preventable: readonly string[];
} {
  const count = (writer: string) => writes.filter((write) => write.writer === writer).length;
  const sentences = (isChosen: (count: number) => boolean) =>
    writes.filter(({ writer }) => isChosen(count(writer))).map(({ why }) => why);
  return { unpreventable: sentences((one) => one === 1), preventable: sentences((many) => many > 1) };
}
