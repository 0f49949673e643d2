import { Refusal } from '../calls/refusal.ts';

interface Kept<Answer> {
  readonly asked: string;
  readonly answer: Answer;
}

const most = 5_000;

/** What was answered to a client token, so that a repeated request is carried out once. */
export class RecentAnswers<Answer> {
  readonly #kept = new Map<string, Kept<Answer>>();

  once(token: string, input: object, carryOut: () => Answer): Answer {
    const asked = JSON.stringify(input);
    const known = this.#kept.get(token);
    if (known === undefined) {
      const answer = carryOut();
      this.#keep(token, { asked, answer });
      return answer;
    }
    if (known.asked === asked) return known.answer;
    throw new Refusal(
      'IdempotentParameterMismatch',
      'Arguments on this idempotent request are inconsistent with arguments used in previous request(s).',
    );
  }

  #keep(token: string, kept: Kept<Answer>): void {
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= most && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(token, kept);
  }
}
