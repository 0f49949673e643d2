import { type NodeClaim, nodeClaimMetrics } from '@karpenter/core/api';
import { disruptionLabels } from '@karpenter/core/lifecycle';
import { isReschedulable } from '@karpenter/core/state';
import { isConflict, isNotFound, type Kind, type KubeObject, keyOf } from '@karpenter/kube/client';
import { nodeClaims } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import type { CachedPod } from './pods-on-nodes.ts';

type DeletionContext = Pick<ControllerContext, 'client' | 'meters'>;

interface ForcedDisruption {
  readonly reason: string;
  readonly pods?: readonly CachedPod[];
}

/**
 * Deletes a NodeClaim for a forced reason, such as expiration or a launch timeout, and counts the disruption.
 * Returns whether this call deleted it. A claim that changed since it was read is left alone: it may be
 * deleted already, and must not be counted twice. `pods` are those on its node; only the reschedulable ones
 * count as disrupted.
 */
export async function disruptClaim(
  { client, meters }: DeletionContext,
  claim: NodeClaim,
  { reason, pods = [] }: ForcedDisruption,
): Promise<boolean> {
  const { uid, resourceVersion } = claim.metadata;
  if (!(await deleteUnchanged({ client }, nodeClaims, claim, { uid, resourceVersion }))) return false;
  const labels = disruptionLabels(claim, reason);
  meters.increment(nodeClaimMetrics.disrupted, labels);
  const reschedulable = pods.filter(isReschedulable).length;
  if (reschedulable > 0) meters.increment(nodeClaimMetrics.podsDisruptionInitiated, labels, reschedulable);
  return true;
}

/** Deletes an object unless another one has taken its name. Returns whether it was deleted. */
export function deleteIfUidMatches<T extends KubeObject>(
  client: Pick<ControllerContext, 'client'>,
  kind: Kind<T>,
  object: T,
): Promise<boolean> {
  return deleteUnchanged(client, kind, object, { uid: object.metadata?.uid });
}

interface Preconditions {
  readonly uid: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** Deletes an object with preconditions; false when it is gone or they fail. Other errors are thrown. */
async function deleteUnchanged<T extends KubeObject>(
  { client }: Pick<ControllerContext, 'client'>,
  kind: Kind<T>,
  object: T,
  { uid, resourceVersion }: Preconditions,
): Promise<boolean> {
  const preconditions = {
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  try {
    await client.delete(kind, keyOf(object), { preconditions });
    return true;
  } catch (error) {
    if (isNotFound(error) || isConflict(error)) return false;
    throw error;
  }
}
