import type { NodeClaim } from '@karpenter/core/api';
import { ApiError, isAlreadyExists, isNotFound } from '@karpenter/kube/client';
import { nodeClaims } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';

type RecordingContext = Pick<ControllerContext, 'client' | 'cluster'>;

/** Names are drawn by lot; after this many that are taken something else is wrong. */
const mostNames = 5;

/**
 * Creates a claim of which the state is told before the API server, so that no plan in between makes another one for
 * its pods, and forgets it again if it was not created. Each time that the name is taken another claim is made.
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
      cluster.learn({ type: 'launchRecorded', nodeClaim: created, pods });
      return created;
    } catch (error) {
      cluster.learn({ type: 'launchForgotten', nodeClaim: nodeClaim.metadata.name });
      if (!isAlreadyExists(error) || tries >= mostNames) throw error;
    }
  }
}

/** A request of which no answer came may have been carried out. */
async function createOrFind(client: RecordingContext['client'], nodeClaim: NodeClaim): Promise<NodeClaim> {
  try {
    return await client.create(nodeClaims, nodeClaim);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    return find(client, nodeClaim, error);
  }
}

async function find(
  client: RecordingContext['client'],
  { metadata }: NodeClaim,
  failure: unknown,
): Promise<NodeClaim> {
  try {
    return await client.get(nodeClaims, { name: metadata.name });
  } catch (error) {
    throw isNotFound(error) ? failure : error;
  }
}
