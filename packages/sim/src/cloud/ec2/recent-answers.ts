import { createHash } from 'node:crypto';
import type { Clock, Instant } from '@karpenter/kube/runtime';
import { Refusal } from '../calls/refusal.ts';

/** The reply to a client token. Immutable, so that its serialized text can be cached. */
export interface SavedAnswer<Answer> {
  readonly token: string;
  /** A digest of the request; a different request with the same token is a mismatch. */
  readonly asked: string;
  readonly answeredAt: Instant;
  readonly answer: Answer;
}

const maxAnswers = 5_000;
/** EC2 remembers client tokens for at least a day. */
const keptMs = 24 * 3_600_000;

/** Remembers replies by client token, so that a repeated request does not run again. */
export class RecentAnswers<Answer> {
  readonly #clock: Clock;
  readonly #answers: Map<string, SavedAnswer<Answer>>;

  constructor(clock: Clock, saved: readonly SavedAnswer<Answer>[] = []) {
    this.#clock = clock;
    this.#answers = new Map(saved.map((answer) => [answer.token, answer]));
  }

  /**
   * Returns the earlier reply to the same token and request, or performs the request. A failed request is not
   * remembered. Throws IdempotentParameterMismatch if the token came with another request.
   */
  once(token: string, input: object, perform: () => Answer): Answer {
    const asked = createHash('sha256').update(JSON.stringify(input)).digest('base64');
    this.#forgetOld();
    const known = this.#answers.get(token);
    if (known === undefined) {
      const answer = perform();
      this.#answers.set(token, { token, asked, answeredAt: this.#clock.now(), answer });
      return answer;
    }
    if (known.asked === asked) return known.answer;
    throw new Refusal(
      'IdempotentParameterMismatch',
      'Arguments on this idempotent request are inconsistent with arguments used in previous request(s).',
    );
  }

  save(): readonly SavedAnswer<Answer>[] {
    this.#forgetOld();
    return [...this.#answers.values()];
  }

  /** The map keeps insertion order, so the oldest replies come first and the loop may stop early. */
  #forgetOld(): void {
    const oldest = this.#clock.now() - keptMs;
    for (const { token, answeredAt } of this.#answers.values()) {
      if (answeredAt > oldest && this.#answers.size <= maxAnswers) return;
      this.#answers.delete(token);
    }
  }
}
