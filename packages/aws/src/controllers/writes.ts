import { isConflict, isNotFound } from '@karpenter/kube/client';
import type { ReconcileResult } from '@karpenter/kube/runtime';
import { conflictRetry } from '../names/index.ts';

/** Awaits a write. Returns false if the object no longer exists. */
export async function unlessGone(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** Requeues after a conflict, so that the next reconcile reads what the other writer wrote. */
export async function unlessConflict(
  work: () => Promise<ReconcileResult | undefined>,
): Promise<ReconcileResult | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isConflict(error)) return { requeueAfter: conflictRetry };
    throw error;
  }
}
