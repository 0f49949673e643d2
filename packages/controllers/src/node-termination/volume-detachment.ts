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
import type { CachedNode, PodsOnNodes } from '../instances/index.ts';
import { storeConditions } from './claim-conditions.ts';
import type { StepResult, TerminatingNode, TerminationStep } from './termination-step.ts';

type CachedAttachment = VolumeAttachment & KubeObject;

export interface DetachmentContext extends Pick<ControllerContext, 'client' | 'recorder' | 'clock'> {
  readonly pods: PodsOnNodes;
  readonly volumes: AttachedVolumes;
}

const nodeIndex = 'spec.nodeName';

/** VolumeAttachments by node, and the PersistentVolumeClaims that map pods to volumes. */
export class AttachedVolumes {
  readonly attachments: WatchCache<CachedAttachment>;
  readonly claims: WatchCache<StateObjects['PersistentVolumeClaim'] & KubeObject>;

  /** The attachments have the index that `watchAttachedVolumes` adds. */
  constructor({ attachments, claims }: Pick<AttachedVolumes, 'attachments' | 'claims'>) {
    this.attachments = attachments;
    this.claims = claims;
  }

  on(nodeName: string): readonly CachedAttachment[] {
    return this.attachments.byIndex(nodeIndex, nodeName);
  }
}

/** Starts the watches of VolumeAttachments and PersistentVolumeClaims, or joins those that run. */
export function watchAttachedVolumes(caches: CacheSet): AttachedVolumes {
  return new AttachedVolumes({
    attachments: caches.of(stateSources.VolumeAttachment, { [nodeIndex]: ({ spec }) => [spec.nodeName] }),
    claims: caches.of(stateSources.PersistentVolumeClaim),
  });
}

const { volumesDetached } = nodeClaimConditions;
const poll: ReconcileResult = { requeueAfter: terminationTuning.volumePoll };

/**
 * Waits until the volumes of drained pods are detached, or the grace period ends. An instance that is
 * terminated with volumes attached delays their attachment to another node, and the start of the pods there.
 */
export class VolumeDetachment implements TerminationStep {
  readonly #context: DetachmentContext;

  constructor(context: DetachmentContext) {
    this.#context = context;
  }

  async run({ node, claim, deadline }: TerminatingNode): Promise<StepResult> {
    const now = this.#context.clock.now();
    const awaited = this.#awaited(node);
    // Before the deadline is checked: once all volumes are detached the condition is True, however late.
    if (awaited.length === 0) {
      return this.#setCondition(claim, (each) => withTrue(each, volumesDetached, now));
    }
    if (deadline !== undefined && now >= deadline) {
      const reason = terminationReasons.gracePeriodElapsed;
      return this.#setCondition(claim, (each) => withFalse(each, volumesDetached, reason, now));
    }
    this.#publishAwaiting(node, awaited);
    const reason = terminationReasons.awaitingVolumeDetachment;
    await this.#setCondition(claim, (each) => withUnknown(each, volumesDetached, reason, now));
    return { wait: poll };
  }

  /**
   * Attachments to wait for. Those of pods that are not drained, such as pods that tolerate the taint, stay until
   * the instance is terminated.
   */
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

  /**
   * Stores a condition; a claim that changed meanwhile makes the Node wait, since the next step needs it as
   * stored.
   */
  async #setCondition(
    claim: NodeClaim | undefined,
    set: (claim: NodeClaim) => NodeClaim,
  ): Promise<StepResult> {
    if (claim === undefined) return { claim };
    const stored = await storeConditions(this.#context, claim, set(claim));
    return stored === undefined ? { wait: poll } : { claim: stored };
  }

  #publishAwaiting(node: CachedNode, awaited: readonly VolumeAttachment[]): void {
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
