import {
  apiRetryTuning,
  conditionedObject,
  type DisruptionReason,
  disruptedTaint,
  equalConditions,
  formatTimestamp,
  getCondition,
  leavingTaint,
  type NodeClaim,
  nodeClaimConditionSet,
  nodeClaimConditions,
} from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import { durationMs, isSameTaint, type Taint } from '@karpenter/core/values';
import { isConflict, isNotFound, kinds } from '@karpenter/kube/client';
import { nodeClaims, writeObject, writeStatus } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';

type MarkContext = Pick<ControllerContext, 'client' | 'clock'>;

/** The names of a Node and its NodeClaim. */
export interface MarkedNode {
  readonly node: string;
  readonly nodeClaim: string;
}

/**
 * Taints a Node as disrupted, so that the scheduler binds no new pods to it, and sets the condition
 * DisruptionReason on its NodeClaim. Throws if either cannot be written; the other write is not undone.
 */
export async function markDisrupted(
  context: MarkContext,
  { node, nodeClaim }: MarkedNode,
  reason: DisruptionReason,
): Promise<void> {
  await changeTaints(context, node, (taints) =>
    taints.some(isDisruptedTaint) ? taints : [...taints, disruptedTaint],
  );
  const now = formatTimestamp(context.clock.now());
  await changeConditions(context, nodeClaim, (claim) =>
    nodeClaimConditionSet.setTrue(conditionedObject(claim), {
      type: nodeClaimConditions.disruptionReason,
      now,
      reason,
      message: reason,
    }),
  );
}

/** Removes the taint and the condition. Objects that no longer exist are skipped. */
export async function unmarkDisrupted(context: MarkContext, { node, nodeClaim }: MarkedNode): Promise<void> {
  await ignoreNotFound(
    changeTaints(context, node, (taints) => taints.filter((taint) => !isDisruptedTaint(taint))),
  );
  await ignoreNotFound(
    changeConditions(context, nodeClaim, (claim) =>
      nodeClaimConditionSet.clear(conditionedObject(claim), nodeClaimConditions.disruptionReason),
    ),
  );
}

/** Taints a Node that is about to be removed, or removes the taint. A Node that no longer exists is skipped. */
export async function markLeaving(context: MarkContext, node: string, isLeaving: boolean): Promise<void> {
  await ignoreNotFound(
    changeTaints(context, node, (taints) => [
      ...taints.filter((taint) => !isLeavingTaint(taint)),
      ...(isLeaving ? [leavingTaint] : []),
    ]),
  );
}

export function isLeavingTaint(taint: Taint): boolean {
  return isSameTaint(taint, leavingTaint);
}

export function isDisruptedTaint(taint: Taint): boolean {
  return isSameTaint(taint, disruptedTaint);
}

export function hasDisruptionReason({ status }: NodeClaim): boolean {
  const conditions = status?.conditions ?? [];
  return getCondition({ conditions }, nodeClaimConditions.disruptionReason) !== undefined;
}

/**
 * Reads the Node from the API server, not from the cache, and writes its taints guarded by the resource
 * version: a merge patch replaces the whole list, and a stale list would drop taints that others have added.
 */
async function changeTaints(
  context: MarkContext,
  name: string,
  change: (taints: readonly Taint[]) => readonly Taint[],
): Promise<void> {
  await retryOnConflict(context, async () => {
    const node = await context.client.get(kinds.node, { name });
    const before: readonly Taint[] = node.spec?.taints ?? [];
    const after = change(before);
    // Changes only add or remove, so an equal length means that nothing changed.
    if (after.length === before.length) return true;
    return (await writeObject(context.client, kinds.node, node, { spec: { taints: after } })) !== undefined;
  });
}

async function changeConditions(
  context: MarkContext,
  name: string,
  change: (claim: NodeClaim) => NonNullable<NonNullable<NodeClaim['status']>['conditions']>,
): Promise<void> {
  await retryOnConflict(context, async () => {
    const claim = await context.client.get(nodeClaims, { name });
    const conditions = change(claim);
    if (equalConditions(conditions, claim.status?.conditions ?? [])) return true;
    return (await writeStatus(context.client, nodeClaims, claim, { conditions })) !== undefined;
  });
}

/**
 * Repeats a write that conflicts with another writer, with a growing delay; throws after four attempts.
 * `attempt` returns false when the guarded write found the object changed.
 */
async function retryOnConflict({ clock }: MarkContext, attempt: () => Promise<boolean>): Promise<void> {
  const { attempts, firstDelay, delayFactor } = apiRetryTuning;
  for (let tries = 1; ; tries += 1) {
    try {
      if (await attempt()) return;
    } catch (error) {
      if (!isConflict(error) || tries >= attempts) throw error;
    }
    if (tries >= attempts) throw writeContended();
    await clock.sleep(durationMs(firstDelay * delayFactor ** (tries - 1)));
  }
}

function writeContended(): CodedError {
  return new CodedError(
    'write-contended',
    'others kept changing an object that was to be marked as disrupted; it is tried again in the next round',
  );
}

async function ignoreNotFound(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
