import {
  annotationKeys,
  controllerNames,
  getCondition,
  labelKeys,
  type NodeClaim,
  type NodePool,
  nodeClaimConditions,
  nodePoolHash,
  nodePoolHashVersion,
} from '@karpenter/core/api';
import { isNotFound } from '@karpenter/kube/client';
import type { Runnable } from '@karpenter/kube/runtime';
import { nodeClaims, nodePools } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import { poolController } from './managed-pools.ts';

type HashContext = Pick<ControllerContext, 'client' | 'caches' | 'cloud'>;

/**
 * Keeps the hash of each NodePool's template in its annotations; drift compares it with the hash on
 * NodeClaims.
 *
 * Hashes of different versions cannot be compared. When the version changes the claims get the new hash
 * before the NodePool does: if the process ends in between, the old version on the NodePool makes the next one
 * continue.
 */
export function nodePoolHashing(context: HashContext): Runnable {
  const { client, caches, cloud } = context;
  const claims = caches.of(nodeClaims, { nodePool: nodePoolOf });
  return poolController({
    name: controllerNames.nodePoolHash,
    caches,
    cloud,
    reconcile: async (nodePool) => {
      const { name, annotations = {} } = nodePool.metadata;
      const desired = hashAnnotations(nodePool);
      if (annotations[annotationKeys.nodePoolHashVersion] !== nodePoolHashVersion) {
        const stale = claims.byIndex('nodePool', name).filter(hasOldHashVersion);
        await Promise.all(stale.map((claim) => rehash(client, claim, desired)));
      }
      if (Object.entries(desired).every(([key, value]) => annotations[key] === value)) return undefined;
      const body = { metadata: { annotations: desired } };
      await unlessGone(client.patch(nodePools, { name }, { type: 'merge', body }));
      return undefined;
    },
  });
}

function hashAnnotations({ spec }: NodePool): Readonly<Record<string, string>> {
  return {
    [annotationKeys.nodePoolHash]: nodePoolHash(spec.template),
    [annotationKeys.nodePoolHashVersion]: nodePoolHashVersion,
  };
}

function nodePoolOf({ metadata }: NodeClaim): readonly string[] {
  const name = metadata.labels?.[labelKeys.nodePool];
  return name === undefined ? [] : [name];
}

function hasOldHashVersion({ metadata }: NodeClaim): boolean {
  return metadata.annotations?.[annotationKeys.nodePoolHashVersion] !== nodePoolHashVersion;
}

/** A drifted claim gets the new version only and keeps its hash, so that it stays drifted. */
async function rehash(
  client: HashContext['client'],
  { metadata, status }: NodeClaim,
  desired: Readonly<Record<string, string>>,
): Promise<void> {
  const drifted = getCondition({ conditions: status?.conditions ?? [] }, nodeClaimConditions.drifted);
  const version = { [annotationKeys.nodePoolHashVersion]: nodePoolHashVersion };
  const body = { metadata: { annotations: drifted === undefined ? desired : version } };
  await unlessGone(client.patch(nodeClaims, { name: metadata.name }, { type: 'merge', body }));
}

async function unlessGone(written: Promise<unknown>): Promise<void> {
  try {
    await written;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
