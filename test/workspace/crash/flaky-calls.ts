import { ApiError, ConnectionError } from '@karpenter/kube/client';
import type { SeededRandom } from '@karpenter/testkit/random-clusters';

/** Failure rates of requests and of watch events. */
export interface FaultChances {
  readonly refused: number;
  readonly unsent: number;
  readonly lostAnswer: number;
  /** Of writes that change an object: another client writes it first. */
  readonly conflict: number;
  /** Of lists: an answer from earlier. */
  readonly staleList: number;
  readonly cutWatch: number;
  /** Of watch events: the watch ends with 410, and the client has to list again. */
  readonly expiredWatch: number;
}

const usualChances: FaultChances = {
  refused: 0.02,
  unsent: 0.01,
  lostAnswer: 0.02,
  conflict: 0,
  staleList: 0,
  cutWatch: 0.005,
  expiredWatch: 0,
};

/** An API server that looks overloaded and unreliable to its clients. */
export class FlakyCalls {
  readonly #chance: SeededRandom;
  readonly #chances: FaultChances;
  /** The last answer to each list. */
  readonly #lists = new Map<string, unknown>();
  #isHealed = false;
  readonly #made = new Map<string, number>();

  constructor(chance: SeededRandom, chances: FaultChances = usualChances) {
    this.#chance = chance;
    this.#chances = chances;
  }

  heal(): void {
    this.#isHealed = true;
  }

  /** Ends the effect of `heal`. */
  failAgain(): void {
    this.#isHealed = false;
  }

  /** How many requests have failed and watches been cut. */
  get made(): number {
    return [...this.#made.values()].reduce((sum, count) => sum + count, 0);
  }

  /** How often each kind of fault has happened. */
  get madeByKind(): ReadonlyMap<string, number> {
    return this.#made;
  }

  async attempt<T>(work: () => Promise<T>): Promise<T> {
    if (this.#happens('refused')) throw this.#refusal();
    if (this.#happens('unsent')) throw new ConnectionError('send', 'connection refused', { unsent: true });
    const isLost = this.#happens('lostAnswer');
    const answer = await work();
    if (isLost) throw new ConnectionError('hear the answer', 'connection reset');
    return answer;
  }

  /**
   * A write that changes an object. Sometimes another client writes the object first: a 409 that nobody caused would
   * not be followed by a watch event, which controllers may rely on.
   */
  async afterAnotherWriter<T>(write: () => Promise<void>, work: () => Promise<T>): Promise<T> {
    if (this.#happens('conflict')) await write();
    return work();
  }

  /** A list; `subject` says of what. */
  async attemptList<T>(subject: string, work: () => Promise<T>): Promise<T> {
    const earlier = this.#lists.get(subject);
    // The answer to the same request, so of the same type.
    if (earlier !== undefined && this.#happens('staleList')) return earlier as T;
    const answer = await this.attempt(work);
    if (this.#chances.staleList > 0) this.#lists.set(subject, answer);
    return answer;
  }

  async *stream<T>(events: AsyncIterable<T>): AsyncIterable<T> {
    for await (const event of events) {
      yield event;
      if (this.#happens('cutWatch')) return;
      if (this.#happens('expiredWatch')) throw refusal([410, 'Expired']);
    }
  }

  #refusal(): ApiError {
    const [code, reason] = this.#chance.pick(refusals);
    this.#count(String(code));
    return refusal([code, reason]);
  }

  #happens(fault: keyof FaultChances): boolean {
    const probability = this.#chances[fault];
    // A fault that never happens takes no random number, so that seeds keep their meaning when a kind is added.
    const happens = probability > 0 && !this.#isHealed && this.#chance.happens(probability);
    if (happens && fault !== 'refused') this.#count(fault);
    return happens;
  }

  #count(fault: string): void {
    this.#made.set(fault, (this.#made.get(fault) ?? 0) + 1);
  }
}

type Refusal = readonly [code: number, reason: string];

const refusals: readonly [Refusal, ...Refusal[]] = [
  [503, 'ServiceUnavailable'],
  [429, 'TooManyRequests'],
  [500, 'InternalError'],
  [504, 'Timeout'],
];

function refusal([code, reason]: Refusal): ApiError {
  const message = 'the server is currently unable to handle the request';
  return new ApiError('write', { code, reason, message, causes: [] });
}
