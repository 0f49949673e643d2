import type { NodeClaim } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import type { RegistrationHook } from '@karpenter/core/ports';
import type { DurationMs, Labels } from '@karpenter/core/values';

/** The combined result of the cloud provider's registration hooks for a claim. */
export interface HooksResult {
  /** Names of hooks that are not done; the claim registers when there are none. */
  readonly pending: readonly string[];
  readonly labels: Labels;
  /** The shortest requeue delay of all hooks. */
  readonly requeueAfter?: DurationMs;
  readonly errors: readonly CodedError[];
}

interface HookResult {
  readonly name: string;
  readonly done: boolean;
  readonly labels?: Labels;
  readonly requeueAfter?: DurationMs;
  readonly error?: CodedError;
}

/**
 * Runs all hooks at the same time. A hook that throws counts as pending, and its error is returned, not
 * thrown.
 */
export async function runHooks(hooks: readonly RegistrationHook[], claim: NodeClaim): Promise<HooksResult> {
  const results = await Promise.all(hooks.map((hook) => runHook(hook, claim)));
  const waits = results.flatMap(({ requeueAfter }) => (requeueAfter === undefined ? [] : [requeueAfter]));
  const [first] = waits.toSorted((a, b) => a - b);
  return {
    pending: results.filter(({ done }) => !done).map(({ name }) => name),
    labels: Object.assign({}, ...results.map(({ labels }) => labels)),
    ...(first !== undefined && { requeueAfter: first }),
    errors: results.flatMap(({ error }) => (error === undefined ? [] : [error])),
  };
}

async function runHook(hook: RegistrationHook, claim: NodeClaim): Promise<HookResult> {
  const { name } = hook;
  try {
    return { name, ...(await hook.registered(claim)) };
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    const message = `registration hook ${JSON.stringify(name)} failed, ${text}`;
    return { name, done: false, error: new CodedError('registration-hook-failed', message, { cause }) };
  }
}
