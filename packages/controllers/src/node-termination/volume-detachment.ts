import {
  events,
  maxListedNames,
  type NodeClaim,
  nodeClaimConditions,
  terminationReasons,
  terminationTuning,
} from '@karpenter/core/api';
import { withFalse, withTrue, withUnknown } from '@karpenter/core/lifecycle';
import type { StateObjects, VolumeAttachment } from '@karpenter/core/state';
import { awaitedAttachments } from '@karpenter/core/termination';
import type { CacheSet, WatchCache } from '@karpenter/kube/cache';
import type { KubeObject } from '@karpenter/kube/client';
import type { ReconcileResult } from '@karpenter/kube/runtime';
import { stateSources } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import type { CachedNode, PodsOnNodes } from '../machines/index.ts';
import { storeProgress } from './claim-progress.ts';
import type { Departing, DepartureStep, Passage } from './departing.ts';

type CachedAttachment = VolumeAttachment & KubeObject;

export interface DetachmentContext extends Pick<ControllerContext, 'client' | 'recorder' | 'clock'> {
  readonly pods: PodsOnNodes;
  readonly volumes: AttachedVolumes;
}

const nodeIndex = 'spec.nodeName';

/** What is attached to which node, and the claims that lead from pods to volumes. */
export class AttachedVolumes {
  readonly attachments: WatchCache<CachedAttachment>;
  readonly claims: WatchCache<StateObjects['PersistentVolumeClaim'] & KubeObject>;

  constructor(caches: CacheSet) {
    this.attachments = caches.of(stateSources.VolumeAttachment);
    this.attachments.addIndex(nodeIndex, ({ spec }) => [spec.nodeName]);
    this.claims = caches.of(stateSources.PersistentVolumeClaim);
  }

  on(nodeName: string): readonly CachedAttachment[] {
    return this.attachments.byIndex(nodeIndex, nodeName);
  }
}

const { volumesDetached } = nodeClaimConditions;
const poll: ReconcileResult = { requeueAfter: terminationTuning.volumePoll };

/** Waits until the volumes of the drained pods are free for use elsewhere. */
export class VolumeDetachment implements DepartureStep {
  readonly #context: DetachmentContext;

  constructor(context: DetachmentContext) {
    this.#context = context;
  }

  async pass(departing: Departing): Promise<Passage> {
    const { node, claim, deadline } = departing;
    const now = this.#context.clock.now();
    const awaited = this.#awaited(node);
    if (awaited.length === 0) {
      return this.#go(claim, (each) => withTrue(each, volumesDetached, now));
    }
    if (deadline !== undefined && now >= deadline) {
      const words = terminationReasons.gracePeriodElapsed;
      return this.#go(claim, (each) => withFalse(each, volumesDetached, words, now));
    }
    this.#tell(node, awaited);
    const words = terminationReasons.awaitingVolumeDetachment;
    await this.#go(claim, (each) => withUnknown(each, volumesDetached, words, now));
    return { wait: poll };
  }

  #awaited(node: CachedNode): readonly VolumeAttachment[] {
    const { clock, pods, volumes } = this.#context;
    const { name } = node.metadata;
    return awaitedAttachments({
      attachments: volumes.on(name),
      pods: pods.on(name),
      volumeClaim: (namespace, claimName) => volumes.claims.get({ namespace, name: claimName }),
      at: clock.now(),
    });
  }

  async #go(claim: NodeClaim | undefined, judge: (claim: NodeClaim) => NodeClaim): Promise<Passage> {
    if (claim === undefined) return { claim };
    const stored = await storeProgress(this.#context, claim, judge(claim));
    return stored === undefined ? { wait: poll } : { claim: stored };
  }

  #tell(node: CachedNode, awaited: readonly VolumeAttachment[]): void {
    const names = awaited.map(({ metadata }) => metadata.name);
    const listed = names.slice(0, maxListedNames).join(', ');
    const others = names.length > maxListedNames ? ` and ${names.length - maxListedNames} other(s)` : '';
    this.#context.recorder.publish({
      definition: events.awaitingVolumeDetachment,
      kind: stateSources.Node,
      object: node,
      message: `Awaiting deletion of bound volumeattachments (${listed}${others})`,
    });
  }
}
