import { AsyncLocalStorage } from 'node:async_hooks';
import type { LogFields } from '@karpenter/core/ports';

/**
 * The reconcile that the running code belongs to. AsyncLocalStorage passes it along async calls, so that log lines
 * and metrics deep in a cloud provider name their controller without a logger parameter in every function (ADR 0027).
 */
export interface ReconcileScope {
  readonly controller: string;
  /** Fields of every log line of the reconcile, in this order. */
  readonly fields: LogFields;
}

const current = new AsyncLocalStorage<ReconcileScope>();

/** Runs `work`, and everything that it starts, in the scope. */
export function inScope<T>(scope: ReconcileScope, work: () => T): T {
  return current.run(scope, work);
}

/** The scope of the running code; undefined outside of a reconcile. */
export function currentScope(): ReconcileScope | undefined {
  return current.getStore();
}

/** The name of the running controller for metric labels; empty outside of a reconcile. */
export function currentController(): string {
  return current.getStore()?.controller ?? '';
}
