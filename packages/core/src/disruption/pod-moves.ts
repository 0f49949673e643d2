import { consolidationTuning, type NodePool, timestampMs } from '../api/index.ts';
import type { ClusterPod } from '../state/index.ts';
import { controllerReference, type DurationMs } from '../values/index.ts';
import { numberOption, poolOptions } from './pool-options.ts';

/** The parts of a candidate that decide whether its pods may move. */
interface MovableNode {
  readonly nodePool: NodePool;
  readonly reschedulable: readonly { readonly key: string; readonly pod: Pick<ClusterPod, 'metadata'> }[];
}

/** Moves of a pod that ended, for the pod that its controller creates instead. */
interface Inheritance {
  readonly moves: readonly number[];
  /** Creation timestamps that the new pod may have, in milliseconds since 1970. */
  readonly earliest: number;
  readonly latest: number;
}

/** Timestamps are whole seconds, and a controller may be busy. */
const toleranceMs = 2_000;
const mostDelayMs = 30_000;
/** Of pods that do not set a grace period, as in Kubernetes. */
const usualGraceSeconds = 30;

/**
 * Remembers which pods consolidation has moved and when (ADR 0060). A moved pod ends, and its controller creates
 * another in its place: that one inherits the moves. Of the pods of one controller, the first that ended is replaced
 * first. It lives in memory: a new process starts to count again.
 */
export class PodMoves {
  /** Moves of the pods before it in its place, by uid. */
  readonly #moves = new Map<string, readonly number[]>();
  /** When a command began to move a pod, by uid. It has moved once it ends. */
  readonly #moving = new Map<string, number>();
  readonly #heirs = new Map<string, readonly Inheritance[]>();

  /** Records that a command begins to move these pods, by uid, at an instant in milliseconds since 1970. */
  begin(pods: readonly string[], at: number): void {
    this.#forgetOld(at);
    for (const uid of pods) this.#moving.set(uid, at);
  }

  /** Follows a pod that was created or changed. */
  put(pod: ClusterPod): void {
    const ended = timestampMs(pod.metadata.deletionTimestamp);
    if (ended !== undefined) this.#bequeath(pod, ended);
    else if (!this.#moves.has(pod.metadata.uid)) this.#inherit(pod);
  }

  /** Follows a pod that is gone since `at`. A pod without a grace period goes without a deletion timestamp. */
  remove(pod: ClusterPod, at: number): void {
    this.#bequeath(pod, timestampMs(pod.metadata.deletionTimestamp) ?? at);
  }

  /** How often a pod has moved within a period, by default the one in which moves are limited. */
  recent(uid: string, at: number, period?: DurationMs): number {
    return (this.#moves.get(uid) ?? []).filter((moved) => isRecent(moved, at, period)).length;
  }

  /** The first pod of a node that must not move again yet, as `namespace/name`. */
  restingPod({ reschedulable, nodePool }: MovableNode, at: number): string | undefined {
    const most = numberOption(nodePool, poolOptions.podMovesPerHour) ?? consolidationTuning.podMovesPerHour;
    // Most clusters have no moves, and a search asks for every node.
    if (most > 0 && this.#moves.size === 0) return undefined;
    return reschedulable.find(({ pod }) => this.recent(pod.metadata.uid, at) >= most)?.key;
  }

  /** Whether a pod of a node has moved less than `youngNodeAge` ago. */
  hasJustMoved({ reschedulable }: MovableNode, at: number): boolean {
    const { youngNodeAge } = consolidationTuning;
    return (
      this.#moves.size > 0 &&
      reschedulable.some(({ pod }) => this.recent(pod.metadata.uid, at, youngNodeAge) > 0)
    );
  }

  #bequeath(pod: ClusterPod, ended: number): void {
    const { uid } = pod.metadata;
    const moved = this.#moving.get(uid);
    const moves = [...(this.#moves.get(uid) ?? []), ...(moved === undefined ? [] : [moved])];
    const controller = controllerOf(pod);
    this.#moves.delete(uid);
    this.#moving.delete(uid);
    if (moved === undefined || controller === undefined) return;
    const grace = (pod.spec.terminationGracePeriodSeconds ?? usualGraceSeconds) * 1000;
    const heir = { moves, earliest: ended - grace - toleranceMs, latest: ended + mostDelayMs };
    this.#heirs.set(controller, [...(this.#heirs.get(controller) ?? []), heir]);
  }

  #inherit(pod: ClusterPod): void {
    const controller = controllerOf(pod);
    const heirs = controller === undefined ? undefined : this.#heirs.get(controller);
    const created = timestampMs(pod.metadata.creationTimestamp);
    if (controller === undefined || heirs === undefined || created === undefined) return;
    const found = heirs.find(({ earliest, latest }) => created >= earliest && created <= latest);
    if (found === undefined) return;
    this.#moves.set(pod.metadata.uid, found.moves);
    this.#heirs.set(
      controller,
      heirs.filter((each) => each !== found),
    );
  }

  #forgetOld(at: number): void {
    for (const [uid, moves] of this.#moves)
      if (!moves.some((moved) => isRecent(moved, at))) this.#moves.delete(uid);
    for (const [uid, moved] of this.#moving) if (!isRecent(moved, at)) this.#moving.delete(uid);
    for (const [controller, heirs] of this.#heirs) {
      const left = heirs.filter(({ latest }) => latest > at - mostDelayMs);
      if (left.length === 0) this.#heirs.delete(controller);
      else this.#heirs.set(controller, left);
    }
  }
}

function isRecent(moved: number, at: number, period = consolidationTuning.podMovePeriod): boolean {
  return at - moved < period;
}

function controllerOf({ metadata }: ClusterPod): string | undefined {
  const owner = controllerReference(metadata);
  return owner && `${metadata.namespace}/${owner.kind}/${owner.name}`;
}
