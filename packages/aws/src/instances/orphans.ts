import { labelKeys, type NodeClaim } from '@karpenter/core/api';
import type { Instant } from '@karpenter/kube/runtime';
import { recordedBatch } from '../launch-batches/index.ts';
import { launchTuning, tagKeys } from '../names/index.ts';
import { type Ec2Instance, isTerminating } from './instance.ts';
import { providerIdOf } from './provider-id.ts';

/**
 * Instances without a NodeClaim. A young one, or one that a launch may await, may belong to a claim whose status is
 * not written yet. List the instances before the claims: otherwise one that was just claimed would count.
 */
export function orphansOf(
  instances: readonly Ec2Instance[],
  claimed: ReadonlySet<string>,
  now: Instant,
): readonly Ec2Instance[] {
  return instances.filter(
    (instance) =>
      !isTerminating(instance) &&
      instance.mayBeAwaited !== true &&
      !claimed.has(providerIdOf(instance)) &&
      now - instance.launchTime > launchTuning.garbageCollectionMinAge,
  );
}

/**
 * Whether an instance may have been started for a claim that does not know of one. The process that started it may
 * have ended before it could write that down.
 */
export function couldBelongTo({ tags, launchTime }: Ec2Instance, claim: NodeClaim): boolean {
  const { metadata, spec, status } = claim;
  const batch = tags[tagKeys.launchBatch];
  const isOpen = (status?.providerID ?? '') === '' && metadata.deletionTimestamp === undefined;
  return (
    isOpen &&
    // Releases that did not record batches did not tag them either.
    (batch === undefined || batch === recordedBatch(claim)) &&
    tags[tagKeys.nodePool] === (metadata.labels?.[labelKeys.nodePool] ?? '') &&
    tags[tagKeys.ec2NodeClass] === spec.nodeClassRef.name &&
    launchTime >= Date.parse(metadata.creationTimestamp ?? '')
  );
}
