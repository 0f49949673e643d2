import type { BoundPodView } from '../snapshot.ts';

/** The pods that run on nodes, found by what topology asks for. */
export class BoundPods {
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

  in(namespaces: readonly string[]): readonly BoundPodView[] {
    const [only, ...others] = namespaces;
    if (only !== undefined && others.length === 0) return this.#byNamespace.get(only) ?? [];
    return namespaces.flatMap((namespace) => this.#byNamespace.get(namespace) ?? []);
  }

  /** Those that may keep others away. */
  get withAntiAffinity(): readonly BoundPodView[] {
    return this.#withAntiAffinity;
  }
}
