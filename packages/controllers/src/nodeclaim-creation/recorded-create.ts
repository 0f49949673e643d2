import type { NodeClaim } from '@karpenter/core/api';
import { ApiError, isAlreadyExists } from '@karpenter/kube/client';
import { nodeClaims } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';

type RecordingContext = Pick<ControllerContext, 'client' | 'cluster'>;

/** Names are random: that this many in a row are taken has another cause, and the error is thrown. */
const maxNames = 5;

/**
 * Creates a NodeClaim, and records its launch and its pods in the cluster state before the request, so that
 * no plan in between makes another node for the same pods. Forgets the launch if the request fails, and
 * throws. When the name is taken, `make` is called again for a new one.
 */
export async function recordedCreate(
  { client, cluster }: RecordingContext,
  make: () => NodeClaim,
  pods: readonly string[],
): Promise<NodeClaim> {
  for (let tries = 1; ; tries += 1) {
    const nodeClaim = make();
    cluster.learn({ type: 'launchRecorded', nodeClaim, pods });
    try {
      const created = await createOrFind(client, nodeClaim);
      // Recorded again as stored: now with the uid and resource version by which the watch event is
      // recognised.
      cluster.learn({ type: 'launchRecorded', nodeClaim: created, pods });
      return created;
    } catch (error) {
      // If the claim exists after all, its watch event brings it back, and it holds the pods that it may be
      // for (ADR 0015).
      cluster.learn({ type: 'launchForgotten', nodeClaim: nodeClaim.metadata.name });
      if (!isAlreadyExists(error) || tries >= maxNames) throw error;
    }
  }
}

/** A request without a response may have succeeded, so the claim is read before the error is thrown. */
async function createOrFind(client: RecordingContext['client'], nodeClaim: NodeClaim): Promise<NodeClaim> {
  try {
    return await client.create(nodeClaims, nodeClaim);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const stored = await client.find(nodeClaims, { name: nodeClaim.metadata.name });
    if (stored === undefined) throw error;
    return stored;
  }
}
