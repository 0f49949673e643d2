import {
  apiRetryTuning,
  conditionedObject,
  type DisruptionReason,
  disruptedTaint,
  formatTimestamp,
  getCondition,
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

/** A node and its claim, by name. */
export interface MarkedNode {
  readonly node: string;
  readonly nodeClaim: string;
}

/** Keeps new pods away from a node that is to go, and says why on its NodeClaim. Fails if either cannot be written. */
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

/** Takes both back. What is gone needs nothing. */
export async function unmarkDisrupted(context: MarkContext, { node, nodeClaim }: MarkedNode): Promise<void> {
  await ifThere(changeTaints(context, node, (taints) => taints.filter((taint) => !isDisruptedTaint(taint))));
  await ifThere(
    changeConditions(context, nodeClaim, (claim) =>
      nodeClaimConditionSet.clear(conditionedObject(claim), nodeClaimConditions.disruptionReason),
    ),
  );
}

export function isDisruptedTaint(taint: Taint): boolean {
  return isSameTaint(taint, disruptedTaint);
}

export function hasDisruptionReason({ status }: NodeClaim): boolean {
  const conditions = status?.conditions ?? [];
  return getCondition({ conditions }, nodeClaimConditions.disruptionReason) !== undefined;
}

async function changeTaints(
  context: MarkContext,
  name: string,
  change: (taints: readonly Taint[]) => readonly Taint[],
): Promise<void> {
  await retried(context, async () => {
    const node = await context.client.get(kinds.node, { name });
    const before: readonly Taint[] = node.spec?.taints ?? [];
    const after = change(before);
    if (after.length === before.length) return true;
    return (await writeObject(context.client, kinds.node, node, { spec: { taints: after } })) !== undefined;
  });
}

async function changeConditions(
  context: MarkContext,
  name: string,
  change: (claim: NodeClaim) => NonNullable<NonNullable<NodeClaim['status']>['conditions']>,
): Promise<void> {
  await retried(context, async () => {
    const claim = await context.client.get(nodeClaims, { name });
    const conditions = change(claim);
    if (JSON.stringify(conditions) === JSON.stringify(claim.status?.conditions ?? [])) return true;
    return (await writeStatus(context.client, nodeClaims, claim, { conditions })) !== undefined;
  });
}

/** ReconcileResult while others write to the same object; what has not worked after a few tries fails. */
async function retried({ clock }: MarkContext, attempt: () => Promise<boolean>): Promise<void> {
  const { attempts, firstDelay, delayFactor } = apiRetryTuning;
  for (let tries = 1; ; tries += 1) {
    try {
      if (await attempt()) return;
    } catch (error) {
      if (!isConflict(error) || tries >= attempts) throw error;
    }
    if (tries >= attempts) throw contended();
    await clock.sleep(durationMs(firstDelay * delayFactor ** (tries - 1)));
  }
}

function contended(): CodedError {
  return new CodedError(
    'write-contended',
    'others kept changing an object that was to be marked as disrupted; it is tried again in the next round',
  );
}

async function ifThere(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
