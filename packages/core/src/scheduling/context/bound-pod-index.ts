import type { LabelSelector } from '../../values/index.ts';
import { inSteps, type Steps } from '../../yielding/index.ts';
import type { BoundPodView } from '../snapshot.ts';
import { SharedLists } from './shared-lists.ts';

/** Pods by namespace and value of one label. */
type PodsByValue = SharedLists<BoundPodView>;

/**
 * Pods on nodes, indexed for counting topology groups: a large cluster has far more of them than a group
 * selects.
 */
export class BoundPodIndex {
  #byNamespace = new SharedLists<BoundPodView>();
  /** By key of a label that some selector asks for. */
  #byLabel = new Map<string, PodsByValue>();
  #withAntiAffinity: BoundPodView[] = [];

  constructor(pods: Iterable<BoundPodView> = []) {
    for (const pod of pods) this.add(pod);
  }

  static *of(pods: readonly BoundPodView[]): Steps<BoundPodIndex> {
    const index = new BoundPodIndex();
    yield* inSteps(pods, (pod) => index.add(pod), 'light');
    return index;
  }

  add(pod: BoundPodView): void {
    this.#byNamespace.push(pod.metadata.namespace, pod);
    for (const [key, byValue] of this.#byLabel) addByValue(byValue, key, pod);
    if (pod.spec.affinity?.podAntiAffinity !== undefined) this.#withAntiAffinity.push(pod);
  }

  /** An index of the same pods that can be added to on its own. Shares what neither adds to. */
  copy(): BoundPodIndex {
    const copied = new BoundPodIndex();
    copied.#byNamespace = this.#byNamespace.copy();
    copied.#byLabel = new Map([...this.#byLabel].map(([key, byValue]) => [key, byValue.copy()]));
    copied.#withAntiAffinity = [...this.#withAntiAffinity];
    return copied;
  }

  /**
   * Pods of these namespaces that the selector may select: those with one of the labels that it names, or
   * all if it names none. The caller applies the selector.
   */
  selectable(
    namespaces: readonly string[],
    { matchLabels = {} }: Pick<LabelSelector, 'matchLabels'> = {},
  ): readonly BoundPodView[] {
    const lists = Object.entries(matchLabels).map(([key, value]) => this.#labelled(namespaces, key, value));
    if (lists.length === 0) return namespaces.flatMap((namespace) => this.#byNamespace.get(namespace));
    return lists.reduce((least, list) => (list.length < least.length ? list : least));
  }

  /** Pods whose anti-affinity terms may keep other pods away (Karpenter's inverse anti-affinity). */
  get withAntiAffinity(): readonly BoundPodView[] {
    return this.#withAntiAffinity;
  }

  #labelled(namespaces: readonly string[], key: string, value: string): readonly BoundPodView[] {
    const byValue = this.#byLabel.get(key) ?? this.#indexed(key);
    // Usually one, whose list need not be copied.
    const [only = '', ...others] = namespaces;
    if (others.length === 0) return byValue.get(placeOf(only, value));
    return namespaces.flatMap((namespace) => byValue.get(placeOf(namespace, value)));
  }

  #indexed(key: string): PodsByValue {
    const byValue: PodsByValue = new SharedLists();
    for (const pods of this.#byNamespace.values()) for (const pod of pods) addByValue(byValue, key, pod);
    this.#byLabel.set(key, byValue);
    return byValue;
  }
}

function addByValue(byValue: PodsByValue, key: string, pod: BoundPodView): void {
  const { namespace, labels = {} } = pod.metadata;
  // Own properties only: a selector may name a label such as `constructor`.
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  if (value !== undefined) byValue.push(placeOf(namespace, value), pod);
}

/** Neither namespaces nor label values contain a slash. */
function placeOf(namespace: string, value: string): string {
  return `${namespace}/${value}`;
}
