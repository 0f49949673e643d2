import type { Event, Pod } from 'kubernetes-types/core/v1.js';

interface ObservedPod {
  readonly createdAt: number;
  evictedAt?: number;
}

/** The moments at which the pods of one place were evicted, oldest first. */
type Moves = readonly number[];

/** A ReplicaSet that creates no pod within this time has been scaled in and needs none. */
const maxDelayMs = 20_000;

/**
 * How often pods move. An evicted pod ends and its ReplicaSet creates another, which continues its history. Which of
 * several new pods continues which history is not defined, so the histories are those in which the pod with the most
 * moves has as few as possible: if it has too many there, then in any other order as well.
 */
export class PodHistory {
  readonly #pods = new Map<string, ObservedPod>();
  /** By the uid of their ReplicaSet, or their own. */
  readonly #byOwner = new Map<string, ObservedPod[]>();

  /** Call it with all pods and all events of evictions, more often than pods are evicted. */
  observe(pods: readonly Pod[], evictions: readonly Event[], at: number): void {
    for (const { involvedObject } of evictions) {
      const evicted = this.#pods.get(involvedObject.uid ?? '');
      if (evicted !== undefined) evicted.evictedAt ??= at;
    }
    for (const { metadata } of pods) {
      const { uid = '', ownerReferences = [] } = metadata ?? {};
      if (!this.#pods.has(uid)) this.#add(uid, ownerReferences[0]?.uid ?? uid, { createdAt: at });
    }
  }

  /** Moves of an average place: a pod and all that replaced it. */
  get movesPerPlace(): number {
    const histories = this.#histories();
    return histories.flat().length / Math.max(1, histories.length);
  }

  /** The most moves that any pod made within so many milliseconds. */
  mostWithin(milliseconds: number): number {
    const counts = this.#histories().flatMap((moves) =>
      moves.map((first) => moves.filter((at) => at >= first && at - first < milliseconds).length),
    );
    return Math.max(0, ...counts);
  }

  #histories(): readonly Moves[] {
    return [...this.#byOwner.values()].flatMap(historiesOf);
  }

  #add(uid: string, owner: string, pod: ObservedPod): void {
    this.#pods.set(uid, pod);
    const pods = this.#byOwner.get(owner) ?? [];
    this.#byOwner.set(owner, pods);
    pods.push(pod);
  }
}

/** The histories of the places of one ReplicaSet. */
function historiesOf(pods: readonly ObservedPod[]): readonly Moves[] {
  const current = new Map<ObservedPod, Moves>();
  let waiting: readonly Moves[] = [];
  for (const { pod, at, kind } of changesOf(pods)) {
    if (kind === 'evicted') {
      waiting = [...waiting, [...(current.get(pod) ?? []), at]];
      current.delete(pod);
    } else {
      const mayContinue = waiting.filter((moves) => at - (moves.at(-1) ?? 0) < maxDelayMs);
      const fewestFirst = mayContinue.toSorted((a, b) => a.length - b.length);
      // A pod that stays takes the longest history, because it adds nothing to it.
      const continued = fewestFirst.at(kind === 'stays' ? -1 : 0) ?? [];
      waiting = waiting.filter((moves) => moves !== continued);
      current.set(pod, continued);
    }
  }
  return [...current.values(), ...waiting];
}

interface Change {
  readonly at: number;
  readonly pod: ObservedPod;
  readonly kind: 'evicted' | 'created' | 'stays';
}

/** Of what is seen at the same time, evictions come first, then new pods that will be evicted too. */
const order = { evicted: 0, created: 1, stays: 2 };

function changesOf(pods: readonly ObservedPod[]): readonly Change[] {
  const changes = pods.flatMap((pod): readonly Change[] => {
    const { createdAt, evictedAt } = pod;
    if (evictedAt === undefined) return [{ at: createdAt, pod, kind: 'stays' }];
    return [
      { at: createdAt, pod, kind: 'created' },
      { at: evictedAt, pod, kind: 'evicted' },
    ];
  });
  return changes.toSorted((a, b) => a.at - b.at || order[a.kind] - order[b.kind]);
}
