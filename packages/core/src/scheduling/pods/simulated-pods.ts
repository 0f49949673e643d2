import { memoized, type ResourceList, resourceTexts } from '../../values/index.ts';
import { inSteps, type Steps } from '../../yielding/index.ts';
import type { ResourceAxes } from '../context/resource-axes.ts';
import type { PodView } from '../snapshot.ts';
import { unreadIdentityLabels, withoutLabels } from './identity-labels.ts';
import { byAge, inPlacementOrder, KnownClasses, type PodClass } from './pod-class.ts';

/** The pods of one simulation. */
export interface PodsToPlace {
  readonly waiting: readonly PodView[];
  /** Of nodes that are removed. */
  readonly moved: readonly PodView[];
  /** Whether moved pods may go wherever waiting ones may. */
  readonly mayGoAnywhere: boolean;
}

/**
 * Classes and sizes of the pods that a search places, each read once, as a search simulates many removals of the same
 * nodes. Keeps results by pod object: pass the same objects again, or they are read again.
 */
export class SimulatedPods {
  readonly #axes: ResourceAxes;
  readonly #known = new KnownClasses();
  readonly #waitingClass = memoized((pod: PodView) => this.#known.classOf(pod));
  readonly #movedClass = memoized((pod: PodView) => this.#known.classOf(pod, { isMoved: true }));
  readonly #vectorOf = memoized((requests: PodClass['requests']) => this.#axes.vector(requests));
  readonly #amountsOf = memoized((requests: ResourceList) => this.#axes.vector(resourceTexts(requests)));

  constructor(axes: ResourceAxes) {
    this.#axes = axes;
  }

  /** The class of a pod as consolidation moves it. */
  movedClassOf(pod: PodView): PodClass {
    return this.#movedClass(pod);
  }

  sizeOf({ requests }: PodClass): Float64Array {
    return this.#vectorOf(requests);
  }

  /** As `sizeOf`, for pods whose class is not needed; pods with equal requests share the list. */
  amountsOf(requests: ResourceList): Float64Array {
    return this.#amountsOf(requests);
  }

  /**
   * The classes of the pods in the order of placement.
   *
   * @param holders bound pods with anti-affinity terms, which may select pods by any label
   */
  *classesOf(
    { waiting, moved, mayGoAnywhere }: PodsToPlace,
    holders: readonly PodView[],
  ): Steps<readonly PodClass[]> {
    const ignored = yield* unreadIdentityLabels([...waiting, ...moved], holders);
    const members = new Map<PodClass, PodView[]>();
    const join = (pod: PodView, isMoved: boolean) => {
      const podClass = this.#classOf(pod, isMoved, ignored);
      const others = members.get(podClass);
      if (others === undefined) members.set(podClass, [pod]);
      else others.push(pod);
    };
    yield* inSteps(waiting, (pod) => join(pod, false), 'light');
    yield* inSteps(moved, (pod) => join(pod, !mayGoAnywhere), 'light');
    const classes = [...members].map(([podClass, pods]) => ({ ...podClass, pods: pods.sort(byAge) }));
    const amount = ({ requests }: PodClass, name: string) => this.#axes.amount(name, requests[name] ?? 0);
    return inPlacementOrder(classes, amount).map((podClass, index) => ({ ...podClass, index }));
  }

  /** Which labels are ignored depends on the other pods of a simulation, so classes without them are not kept. */
  #classOf(pod: PodView, isMoved: boolean, ignored: ReadonlySet<string>): PodClass {
    const { labels = {} } = pod.metadata;
    if (withoutLabels(labels, ignored) !== labels) return this.#known.classOf(pod, { isMoved, ignored });
    return isMoved ? this.#movedClass(pod) : this.#waitingClass(pod);
  }
}
