import { AsyncLocalStorage } from 'node:async_hooks';
import type { LogFields } from '@karpenter/core/ports';

/** Which reconcile the code that runs now belongs to. */
export interface ReconcileScope {
  readonly controller: string;
  /** What every log line of the reconcile carries, in this order. */
  readonly fields: LogFields;
}

const current = new AsyncLocalStorage<ReconcileScope>();

/** Everything that the work does, now or later, is done in the scope. */
export function inScope<T>(scope: ReconcileScope, work: () => T): T {
  return current.run(scope, work);
}

export function currentScope(): ReconcileScope | undefined {
  return current.getStore();
}

/** For metrics that say who asked. */
export function currentController(): string {
  return current.getStore()?.controller ?? '';
}
