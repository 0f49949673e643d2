import type { Instant } from '@karpenter/kube/runtime';
import { launchTuning } from '../names/index.ts';
import { type Ec2Instance, isGoing } from './instance.ts';
import { providerIdOf } from './provider-id.ts';

/**
 * Instances that no NodeClaim knows of. A young one may belong to a claim that has not been told yet, as may one that
 * a launch may await. Instances must have been listed before the claims, or one that was just claimed would count.
 */
export function orphansOf(
  instances: readonly Ec2Instance[],
  claimed: ReadonlySet<string>,
  now: Instant,
): readonly Ec2Instance[] {
  return instances.filter(
    (instance) =>
      !isGoing(instance) &&
      instance.mayBeAwaited !== true &&
      !claimed.has(providerIdOf(instance)) &&
      now - instance.launchTime > launchTuning.garbageCollectionMinAge,
  );
}
