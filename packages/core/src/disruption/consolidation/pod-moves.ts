import { consolidationTuning, type NodePool, timestampMs } from '../../api/index.ts';
import type { ClusterPod } from '../../state/index.ts';
import { controllerReference, type DurationMs } from '../../values/index.ts';
import { numberOption, poolOptions } from '../pool-options.ts';

/** The parts of a candidate that decide whether its pods may move. */
interface MovableNode {
  readonly nodePool: NodePool;
  readonly reschedulable: readonly { readonly key: string; readonly pod: Pick<ClusterPod, 'metadata'> }[];
}

/** Moves of a pod that ended, to be passed on to the pod that its controller creates instead. */
interface EndedPod {
  readonly moves: readonly number[];
  /** Creation timestamps that the new pod may have, in milliseconds since 1970. */
  readonly earliest: number;
  readonly latest: number;
}

/** Timestamps are whole seconds. */
const toleranceMs = 2_000;
/** How long a busy controller may take to create the new pod. */
const maxDelayMs = 30_000;
/** The default of Kubernetes for pods that do not set a grace period. */
const defaultGraceSeconds = 30;

/**
 * Records which pods consolidation has moved and when (ADR 0060). A moved pod ends, and its controller creates
 * another one with another uid, which takes over the moves. Of the pods of one controller, the first that ended is
 * replaced first. Kept in memory only: a new process starts to count again.
 */
export class PodMoves {
  /** Moves that a pod has taken over from the pods it replaces, by uid. */
  readonly #moves = new Map<string, readonly number[]>();
  /** When a command began to move a pod, by uid. It has moved once it ends: a command may fail or be rolled back. */
  readonly #moving = new Map<string, number>();
  /** Moved pods that ended and are not replaced yet, by controller, in the order in which they ended. */
  readonly #ended = new Map<string, readonly EndedPod[]>();

  /** Records that a command begins to move these pods, by uid, at an instant in milliseconds since 1970. */
  begin(pods: readonly string[], at: number): void {
    this.#forgetOld(at);
    for (const uid of pods) this.#moving.set(uid, at);
  }

  /** Handles a pod that was created or changed. */
  put(pod: ClusterPod): void {
    const ended = timestampMs(pod.metadata.deletionTimestamp);
    if (ended !== undefined) this.#recordEnd(pod, ended);
    else if (!this.#moves.has(pod.metadata.uid)) this.#takeOverMoves(pod);
  }

  /** Handles a pod that was deleted at `at`. A pod without a grace period never has a deletion timestamp. */
  remove(pod: ClusterPod, at: number): void {
    this.#recordEnd(pod, timestampMs(pod.metadata.deletionTimestamp) ?? at);
  }

  /** How often a pod has moved within a period, by default the one in which moves are limited. */
  recent(uid: string, at: number, period?: DurationMs): number {
    return (this.#moves.get(uid) ?? []).filter((moved) => isRecent(moved, at, period)).length;
  }

  /** The first pod of a node that has moved as often as a pod may within an hour, as `namespace/name`. */
  podAtMoveLimit({ reschedulable, nodePool }: MovableNode, at: number): string | undefined {
    const most = numberOption(nodePool, poolOptions.podMovesPerHour) ?? consolidationTuning.podMovesPerHour;
    // Most clusters have no moves, and a search calls this for every node.
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

  #recordEnd(pod: ClusterPod, ended: number): void {
    const { uid } = pod.metadata;
    const moved = this.#moving.get(uid);
    const moves = [...(this.#moves.get(uid) ?? []), ...(moved === undefined ? [] : [moved])];
    const controller = controllerOf(pod);
    this.#moves.delete(uid);
    this.#moving.delete(uid);
    if (moved === undefined || controller === undefined) return;
    const grace = (pod.spec.terminationGracePeriodSeconds ?? defaultGraceSeconds) * 1000;
    // A deletion timestamp is the end of the grace period. The controller may create the new pod at its start.
    const endedPod = { moves, earliest: ended - grace - toleranceMs, latest: ended + maxDelayMs };
    this.#ended.set(controller, [...(this.#ended.get(controller) ?? []), endedPod]);
  }

  #takeOverMoves(pod: ClusterPod): void {
    const controller = controllerOf(pod);
    const ended = controller === undefined ? undefined : this.#ended.get(controller);
    const created = timestampMs(pod.metadata.creationTimestamp);
    if (controller === undefined || ended === undefined || created === undefined) return;
    const found = ended.find(({ earliest, latest }) => created >= earliest && created <= latest);
    if (found === undefined) return;
    this.#moves.set(pod.metadata.uid, found.moves);
    this.#ended.set(
      controller,
      ended.filter((each) => each !== found),
    );
  }

  #forgetOld(at: number): void {
    for (const [uid, moves] of this.#moves)
      if (!moves.some((moved) => isRecent(moved, at))) this.#moves.delete(uid);
    for (const [uid, moved] of this.#moving) if (!isRecent(moved, at)) this.#moving.delete(uid);
    for (const [controller, ended] of this.#ended) {
      const left = ended.filter(({ latest }) => latest > at - maxDelayMs);
      if (left.length === 0) this.#ended.delete(controller);
      else this.#ended.set(controller, left);
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
