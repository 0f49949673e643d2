import { ApiError, ConnectionError } from '@karpenter/kube/client';
import type { SeededRandom } from '@karpenter/testkit/random-clusters';

/** Failure rates of requests and of watch events. */
const chances = { refused: 0.02, unsent: 0.01, lostAnswer: 0.02, cutWatch: 0.005 };

/** An API server that looks overloaded and unreliable to its clients. */
export class FlakyCalls {
  readonly #chance: SeededRandom;
  #isHealed = false;
  #made = 0;

  constructor(chance: SeededRandom) {
    this.#chance = chance;
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
    return this.#made;
  }

  async attempt<T>(work: () => Promise<T>): Promise<T> {
    if (this.#happens(chances.refused)) throw refusal(this.#chance.pick(refusals));
    if (this.#happens(chances.unsent))
      throw new ConnectionError('send', 'connection refused', { unsent: true });
    const isLost = this.#happens(chances.lostAnswer);
    const answer = await work();
    if (isLost) throw new ConnectionError('hear the answer', 'connection reset');
    return answer;
  }

  async *stream<T>(events: AsyncIterable<T>): AsyncIterable<T> {
    for await (const event of events) {
      yield event;
      if (this.#happens(chances.cutWatch)) return;
    }
  }

  #happens(probability: number): boolean {
    const happens = !this.#isHealed && this.#chance.happens(probability);
    if (happens) this.#made += 1;
    return happens;
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
