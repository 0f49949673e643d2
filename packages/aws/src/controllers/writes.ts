import { isConflict, isNotFound } from '@karpenter/kube/client';
import type { ReconcileResult } from '@karpenter/kube/runtime';
import { conflictRetry } from '../names/index.ts';

/** Whether the object was still there to be written. */
export async function unlessGone(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** Somebody wrote first: what they wrote is looked at before anything else is written. */
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
