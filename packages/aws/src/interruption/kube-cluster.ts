import {
  annotationKeys,
  type EventDefinition,
  formatTimestamp,
  labelKeys,
  type NodeClaim,
  nodeClaimMetrics,
} from '@karpenter/core/api';
import type { Counters, Log } from '@karpenter/core/ports';
import type { WatchCache } from '@karpenter/kube/cache';
import {
  isConflict,
  isNotFound,
  type Kind,
  type KubeObject,
  type KubeWriter,
  kinds,
  type ObjectKey,
  type Patch,
} from '@karpenter/kube/client';
import type { Clock, EventRecorder } from '@karpenter/kube/runtime';
import { instanceIdIn } from '../instances/index.ts';
import { nodeClaims } from '../kinds.ts';
import { awsEvents, interruptionTuning } from '../names/index.ts';
import type { Interrupted, InterruptedCluster } from './interrupted.ts';
import type { InterruptionKind } from './interruption-message.ts';
import { Once } from './once.ts';

/** The fields of a Node that are read here. */
export interface NodeWithProvider extends KubeObject {
  readonly spec?: { readonly providerID?: string };
}

export interface KubeClusterOptions {
  readonly client: Pick<KubeWriter, 'delete'> & {
    patch(kind: Kind, key: ObjectKey, patch: Patch): Promise<unknown>;
  };
  readonly claims: WatchCache<NodeClaim>;
  readonly nodes: WatchCache<NodeWithProvider>;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
  readonly counters: Counters;
  readonly log: Log;
}

const claimIndex = 'status.instanceID';
const nodeIndex = 'spec.instanceID';

/**
 * Applies interruptions through the API server. Remembers which NodeClaims it deleted, because the caches
 * show a deletion with delay and a second message would delete, count and log it again.
 */
export class KubeCluster implements InterruptedCluster {
  readonly #options: KubeClusterOptions;
  readonly #deletions: Once;
  readonly #deadlines: Once;

  constructor(options: KubeClusterOptions) {
    this.#options = options;
    const { clock, claims, nodes } = options;
    const memory = { now: () => clock.now(), lifetime: interruptionTuning.memory };
    this.#deletions = new Once(memory);
    this.#deadlines = new Once(memory);
    claims.addIndex(claimIndex, ({ status }) => instanceIdsIn(status?.providerID));
    nodes.addIndex(nodeIndex, ({ spec }) => instanceIdsIn(spec?.providerID));
  }

  find(instanceId: string): Interrupted | undefined {
    const [claim] = this.#options.claims.byIndex(claimIndex, instanceId);
    const [node] = this.#options.nodes.byIndex(nodeIndex, instanceId);
    if (claim === undefined) return undefined;
    return node === undefined ? { claim } : { claim, node };
  }

  publish({ claim, node }: Interrupted, definition: EventDefinition, message: string): void {
    const { recorder } = this.#options;
    recorder.publish({ definition, kind: nodeClaims, object: claim, message });
    if (node !== undefined) recorder.publish({ definition, kind: kinds.node, object: node, message });
  }

  async drain(interrupted: Interrupted, reason: InterruptionKind): Promise<void> {
    const { claim } = interrupted;
    if (claim.metadata.deletionTimestamp !== undefined) return;
    await this.#deletions.run(uidOf(claim), () => this.#delete(interrupted, reason));
  }

  /** Sets the deadline on a claim that is already being deleted too, as in Karpenter. */
  async terminate(interrupted: Interrupted, reason: InterruptionKind): Promise<void> {
    const { claim } = interrupted;
    if (claim.metadata.annotations?.[annotationKeys.terminationTimestamp] === undefined) {
      await this.#deadlines.run(uidOf(claim), () => this.#setDeadline(claim));
    }
    await this.drain(interrupted, reason);
  }

  async #setDeadline({ metadata }: NodeClaim): Promise<void> {
    const { client, clock } = this.#options;
    const annotations = { [annotationKeys.terminationTimestamp]: formatTimestamp(clock.now()) };
    const body = { metadata: { annotations } };
    await unlessGone(client.patch(nodeClaims, { name: metadata.name }, { type: 'merge', body }));
  }

  async #delete(interrupted: Interrupted, reason: InterruptionKind): Promise<void> {
    const { client, counters, log } = this.#options;
    const { name, uid, labels = {} } = interrupted.claim.metadata;
    this.#publishTermination(interrupted);
    // The UID keeps it from deleting a new NodeClaim of the same name.
    const preconditions = uid === undefined ? {} : { preconditions: { uid } };
    const wasThere = await unlessGone(client.delete(nodeClaims, { name }, preconditions));
    if (!wasThere) return;
    log.info('initiating delete from interruption message', { NodeClaim: { name }, reason });
    counters.increment(nodeClaimMetrics.disrupted, {
      reason,
      nodepool: labels[labelKeys.nodePool] ?? '',
      capacity_type: labels[labelKeys.capacityType] ?? '',
      consolidation_policy: '',
      termination_mode: '',
    });
  }

  #publishTermination({ claim, node }: Interrupted): void {
    const definition = awsEvents.terminatingOnInterruption;
    const message = (object: string) => `Interruption triggered termination for the ${object}`;
    const { recorder } = this.#options;
    recorder.publish({ definition, kind: nodeClaims, object: claim, message: message('NodeClaim') });
    if (node === undefined) return;
    recorder.publish({ definition, kind: kinds.node, object: node, message: message('Node') });
  }
}

/**
 * Returns false if the object is gone. A conflict means that its UID differs: another object has its name.
 */
async function unlessGone(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (isNotFound(error) || isConflict(error)) return false;
    throw error;
  }
}

function uidOf({ metadata }: NodeClaim): string {
  return metadata.uid ?? metadata.name;
}

function instanceIdsIn(providerId = ''): readonly string[] {
  const id = instanceIdIn(providerId);
  return id === undefined ? [] : [id];
}
