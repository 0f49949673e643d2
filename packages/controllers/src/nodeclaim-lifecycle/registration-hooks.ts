import type { NodeClaim } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import type { RegistrationHook } from '@karpenter/core/ports';
import type { DurationMs, Labels } from '@karpenter/core/values';

/** What all registration hooks of a cloud say of a claim together. */
export interface HooksVerdict {
  /** Those that are not done. */
  readonly pending: readonly string[];
  readonly labels: Labels;
  /** When the first of them wants to be asked again. */
  readonly requeueAfter?: DurationMs;
  readonly errors: readonly CodedError[];
}

interface Answer {
  readonly name: string;
  readonly done: boolean;
  readonly labels?: Labels;
  readonly requeueAfter?: DurationMs;
  readonly error?: CodedError;
}

export async function askHooks(hooks: readonly RegistrationHook[], claim: NodeClaim): Promise<HooksVerdict> {
  const answers = await Promise.all(hooks.map((hook) => ask(hook, claim)));
  const waits = answers.flatMap(({ requeueAfter }) => (requeueAfter === undefined ? [] : [requeueAfter]));
  const [first] = waits.toSorted((a, b) => a - b);
  return {
    pending: answers.filter(({ done }) => !done).map(({ name }) => name),
    labels: Object.assign({}, ...answers.map(({ labels }) => labels)),
    ...(first !== undefined && { requeueAfter: first }),
    errors: answers.flatMap(({ error }) => (error === undefined ? [] : [error])),
  };
}

async function ask(hook: RegistrationHook, claim: NodeClaim): Promise<Answer> {
  const { name } = hook;
  try {
    return { name, ...(await hook.registered(claim)) };
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    const message = `registration hook ${JSON.stringify(name)} failed, ${text}`;
    return { name, done: false, error: new CodedError('registration-hook-failed', message, { cause }) };
  }
}
