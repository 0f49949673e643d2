import { createHash } from 'node:crypto';
import type { Clock, Instant } from '@karpenter/kube/runtime';
import { Refusal } from '../calls/refusal.ts';

/** What was answered to a client token. Never changes once it is made. */
export interface SavedAnswer<Answer> {
  readonly token: string;
  /** A digest of the request: only the same request gets the answer. */
  readonly asked: string;
  readonly answeredAt: Instant;
  readonly answer: Answer;
}

const most = 5_000;
/** EC2 knows client tokens for at least a day. */
const keptMs = 24 * 3_600_000;

/** What was answered to a client token, so that a repeated request is carried out once. */
export class RecentAnswers<Answer> {
  readonly #clock: Clock;
  readonly #kept: Map<string, SavedAnswer<Answer>>;

  constructor(clock: Clock, saved: readonly SavedAnswer<Answer>[] = []) {
    this.#clock = clock;
    this.#kept = new Map(saved.map((answer) => [answer.token, answer]));
  }

  once(token: string, input: object, carryOut: () => Answer): Answer {
    const asked = createHash('sha256').update(JSON.stringify(input)).digest('base64');
    this.#forgetOld();
    const known = this.#kept.get(token);
    if (known === undefined) {
      const answer = carryOut();
      this.#kept.set(token, { token, asked, answeredAt: this.#clock.now(), answer });
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
    return [...this.#kept.values()];
  }

  /** Answers are kept in the order they were given. */
  #forgetOld(): void {
    const oldest = this.#clock.now() - keptMs;
    for (const { token, answeredAt } of this.#kept.values()) {
      if (answeredAt > oldest && this.#kept.size <= most) return;
      this.#kept.delete(token);
    }
  }
}
