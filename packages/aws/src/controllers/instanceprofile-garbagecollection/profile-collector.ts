import type { NodeClaim } from '@karpenter/core/api';
import type { WatchCache } from '@karpenter/kube/cache';
import type { ReconcileResult, Singleton } from '@karpenter/kube/runtime';
import { garbageProfiles, type InstanceProfileProvider } from '../../instance-profiles/index.ts';
import { awsAnnotationKeys, awsControllerNames, awsReconcilePeriods } from '../../names/index.ts';
import type { EC2NodeClass } from '../../node-class/index.ts';

export interface ProfileCollectorOptions {
  readonly classes: WatchCache<EC2NodeClass>;
  readonly claims: WatchCache<NodeClaim>;
  readonly profiles: Pick<InstanceProfileProvider, 'list' | 'delete' | 'isProtected'>;
}

/** Deletes instance profiles that were replaced and that no NodeClaim uses. */
export class ProfileCollector implements Singleton {
  readonly name = awsControllerNames.instanceProfileGarbageCollection;
  readonly #options: ProfileCollectorOptions;

  constructor(options: ProfileCollectorOptions) {
    this.#options = options;
  }

  /** Stops at the first failure, because further deletions would most likely fail too. */
  async reconcile(signal: AbortSignal): Promise<ReconcileResult> {
    const { classes, claims, profiles } = this.#options;
    await Promise.all([classes.waitForSync(signal), claims.waitForSync(signal)]);
    const names = await profiles.list();
    const garbage = garbageProfiles(names, {
      inStatus: new Set(classes.list().flatMap(({ status }) => status?.instanceProfile ?? [])),
      annotated: new Set(claims.list().flatMap((claim) => profileOf(claim) ?? [])),
      isProtected: (name) => profiles.isProtected(name),
    });
    for (const name of garbage) await profiles.delete(name);
    return { requeueAfter: awsReconcilePeriods.instanceProfileGarbageCollection };
  }
}

function profileOf({ metadata }: NodeClaim): string | undefined {
  return metadata.annotations?.[awsAnnotationKeys.instanceProfileName];
}
