/**
 * Counts how often pods move. An eviction ends a pod and its ReplicaSet creates another: the new pod has made one move
 * more than the one it stands for. Of a ReplicaSet the pod evicted first is replaced first.
 */
export class PodMoves {
  #moves = new Map();
  #replaced = new Map();
  #evicted = new Set();
  total = 0;

  /** Follows a pod that was created. */
  created(pod) {
    const waiting = this.#replaced.get(ownerOf(pod)) ?? [];
    this.#moves.set(pod.metadata.uid, waiting.shift() ?? 0);
  }

  /** Follows a pod that changed or was deleted. */
  changed(pod) {
    const { uid } = pod.metadata;
    if (!isEvicted(pod) || this.#evicted.has(uid)) return;
    this.#evicted.add(uid);
    this.total += 1;
    const waiting = this.#replaced.get(ownerOf(pod)) ?? [];
    waiting.push((this.#moves.get(uid) ?? 0) + 1);
    this.#replaced.set(ownerOf(pod), waiting);
  }

  /** The most moves of the pods in the list. */
  most(pods) {
    return Math.max(0, ...pods.map(({ metadata }) => this.#moves.get(metadata.uid) ?? 0));
  }
}

const ownerOf = ({ metadata }) => metadata.ownerReferences?.[0]?.uid ?? metadata.uid;

/** The API server sets the condition when a pod is evicted, before it deletes the pod. */
const isEvicted = ({ status }) =>
  status?.conditions?.some(
    ({ type, reason }) => type === 'DisruptionTarget' && reason === 'EvictionByEvictionAPI',
  ) ?? false;
