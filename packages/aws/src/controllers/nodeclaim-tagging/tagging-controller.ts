import type { NodeClaim } from '@karpenter/core/api';
import type { Log } from '@karpenter/core/ports';
import type { CacheChange, WatchCache } from '@karpenter/kube/cache';
import type { KubeWriter } from '@karpenter/kube/client';
import type { Clock, Controller } from '@karpenter/kube/runtime';
import { type InstanceProvider, instanceIdIn } from '../../instances/index.ts';
import { nodeClaims } from '../../kinds.ts';
import { awsAnnotationKeys, awsControllerNames, launchTuning } from '../../names/index.ts';
import { missingInstanceTags } from '../../tags/index.ts';
import { isOurs } from '../class-objects.ts';
import { unlessGone } from '../writes.ts';

export interface TaggingOptions {
  readonly client: Pick<KubeWriter, 'patch'>;
  readonly claims: WatchCache<NodeClaim>;
  readonly instances: Pick<InstanceProvider, 'get' | 'createTags'>;
  readonly clusterName: string;
  readonly clock: Clock;
  readonly log: Log;
}

const taggedAnnotations = {
  [awsAnnotationKeys.tagged]: 'true',
  [awsAnnotationKeys.clusterNameTagged]: 'true',
};

/**
 * Adds the tags that are known only after registration, such as the node name. One instance at a time with a
 * pause between, because EC2 limits CreateTags calls and the tags are not urgent.
 */
export class TaggingController implements Controller {
  readonly name = awsControllerNames.nodeClaimTagging;
  readonly kind = nodeClaims;
  readonly #options: TaggingOptions;

  constructor(options: TaggingOptions) {
    this.#options = options;
  }

  async reconcile(name: string, signal: AbortSignal): Promise<undefined> {
    const { client, claims, log } = this.#options;
    const claim = claims.get({ name });
    if (claim === undefined || !isUntagged(claim)) return;
    const providerId = claim.status?.providerID ?? '';
    const id = instanceIdIn(providerId);
    if (id === undefined) {
      log.error('failed parsing instance id', { NodeClaim: { name }, 'provider-id': providerId });
      return;
    }
    if (!(await this.#tag(claim, id, signal))) return;
    const patch = { type: 'merge', body: { metadata: { annotations: taggedAnnotations } } } as const;
    await unlessGone(client.patch(nodeClaims, { name }, patch));
  }

  /** Tags the instance. Returns false if it no longer exists. */
  async #tag({ metadata, status }: NodeClaim, id: string, signal: AbortSignal): Promise<boolean> {
    const { instances, clusterName, clock } = this.#options;
    const facts = { clusterName, nodeName: status?.nodeName ?? '', nodeClaim: metadata.name };
    const instance = await instances.get(id);
    if (instance === undefined) return false;
    const missing = missingInstanceTags(facts, instance.tags);
    if (Object.keys(missing).length === 0) return true;
    if ((await instances.createTags(id, missing)) === 'gone') return false;
    await clock.sleep(launchTuning.taggingPause, signal);
    return true;
  }
}

/** Adds NodeClaims whose instance still needs tags. */
export function untaggedClaims({ type, object }: CacheChange<NodeClaim>): readonly string[] {
  return type !== 'deleted' && isUntagged(object) ? [object.metadata.name] : [];
}

function isUntagged(claim: NodeClaim): boolean {
  const { metadata, status } = claim;
  const { annotations = {}, deletionTimestamp } = metadata;
  const isTagged = Object.entries(taggedAnnotations).every(([key, value]) => annotations[key] === value);
  const hasNode = status?.nodeName !== undefined && status.nodeName !== '';
  return isOurs(claim) && hasNode && !isTagged && deletionTimestamp === undefined;
}
