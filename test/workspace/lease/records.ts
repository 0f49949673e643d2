import { type RecordedLease, type RecordedWrite, type StaleWrite, staleWrites } from './stale-writes.ts';

const lease = /\/namespaces\/kube-system\/leases/;
const event = /\/events/;

/** Who wrote what and when, to the API server and to AWS. */
export class Records {
  readonly #writes: RecordedWrite[] = [];
  readonly #leases: RecordedLease[] = [];
  readonly #candidates = new Set<string>();

  /** Records a read of the API server. */
  apiQuestion(writer: string, path: string): void {
    if (lease.test(path)) this.#candidates.add(writer);
  }

  /** Whether the process has read the lease, which means that it is ready to lead. */
  hasStood(writer: string): boolean {
    return this.#candidates.has(writer);
  }

  /** Records a request to the API server on arrival; the caller reports the reply later. */
  apiRequest(writer: string, what: string, body: string): (status: number) => void {
    const at = performance.now();
    if (!lease.test(what)) {
      if (!event.test(what)) this.#writes.push({ writer, at, what });
      return () => undefined;
    }
    return (status) => {
      if (status >= 300) return;
      const { spec } = JSON.parse(body);
      const { holderIdentity: holder, leaseDurationSeconds } = spec;
      this.#leases.push({ writer, at, holder, durationMs: leaseDurationSeconds * 1000 });
    };
  }

  cloudCall(writer: string, service: string, operation: string): void {
    if (/^(describe|get|list)/.test(operation)) return;
    this.#writes.push({ writer, at: performance.now(), what: `${service} ${operation}` });
  }

  /** The process that last acquired or renewed the lease; undefined if it was released. */
  get leader(): string | undefined {
    const last = this.#sortedLeases().at(-1);
    return last === undefined || last.holder === '' ? undefined : last.writer;
  }

  get writes(): readonly RecordedWrite[] {
    return this.#writes;
  }

  stale(): readonly StaleWrite[] {
    return staleWrites(this.#writes, this.#sortedLeases());
  }

  #sortedLeases(): readonly RecordedLease[] {
    return this.#leases.toSorted((a, b) => a.at - b.at);
  }
}
