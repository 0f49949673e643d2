import { labelKeys, type NodeClaim } from '@karpenter/core/api';
import type { Instant } from '@karpenter/kube/runtime';
import { recordedBatch } from '../launch-batches/index.ts';
import { launchTuning, tagKeys } from '../names/index.ts';
import { type Ec2Instance, isTerminating } from './instance.ts';
import { providerIdOf } from './provider-id.ts';

/**
 * Instances without a NodeClaim. Young instances, and those that a launch in progress may assign, are left out: they
 * may belong to a claim whose status is not written yet. Callers must list the instances before the claims; otherwise
 * an instance that was claimed in between would count as an orphan.
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
 * Whether an instance may have been launched for a claim that has no provider ID: the process that launched it may have
 * ended before it wrote the status.
 */
export function couldBelongTo({ tags, launchTime }: Ec2Instance, claim: NodeClaim): boolean {
  const { metadata, spec, status } = claim;
  const batch = tags[tagKeys.launchBatch];
  const isLaunching = (status?.providerID ?? '') === '' && metadata.deletionTimestamp === undefined;
  return (
    isLaunching &&
    // Releases that did not record batches did not tag instances with them either.
    (batch === undefined || batch === recordedBatch(claim)) &&
    tags[tagKeys.nodePool] === (metadata.labels?.[labelKeys.nodePool] ?? '') &&
    tags[tagKeys.ec2NodeClass] === spec.nodeClassRef.name &&
    launchTime >= Date.parse(metadata.creationTimestamp ?? '')
  );
}
