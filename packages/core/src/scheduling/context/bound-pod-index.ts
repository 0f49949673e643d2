import type { BoundPodView } from '../snapshot.ts';

/**
 * Pods on nodes, indexed for counting topology groups: a large cluster has far more of them than a group
 * selects.
 */
export class BoundPodIndex {
  readonly #byNamespace = new Map<string, BoundPodView[]>();
  readonly #withAntiAffinity: BoundPodView[] = [];

  constructor(pods: Iterable<BoundPodView>) {
    for (const pod of pods) this.add(pod);
  }

  add(pod: BoundPodView): void {
    const { namespace } = pod.metadata;
    const others = this.#byNamespace.get(namespace);
    if (others === undefined) this.#byNamespace.set(namespace, [pod]);
    else others.push(pod);
    if (pod.spec.affinity?.podAntiAffinity !== undefined) this.#withAntiAffinity.push(pod);
  }

  /** Pods of these namespaces, in the order of the namespaces. */
  in(namespaces: readonly string[]): readonly BoundPodView[] {
    const [only, ...others] = namespaces;
    if (only !== undefined && others.length === 0) return this.#byNamespace.get(only) ?? [];
    return namespaces.flatMap((namespace) => this.#byNamespace.get(namespace) ?? []);
  }

  /** Pods whose anti-affinity terms may keep other pods away (Karpenter's inverse anti-affinity). */
  get withAntiAffinity(): readonly BoundPodView[] {
    return this.#withAntiAffinity;
  }
}
