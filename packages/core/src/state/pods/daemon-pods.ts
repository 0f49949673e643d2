import { compareTimestamps } from '../../api/index.ts';
import { usesDynamicResources } from '../../pending-pods/index.ts';
import type { PodSpecView, PodView } from '../../scheduling/index.ts';
import { controllerReference, withLimitsAsRequests } from '../../values/index.ts';
import type { ClusterPod, DaemonSet } from '../cluster-object.ts';
import { byText, OrderedMap } from '../collections/ordered-map.ts';
import { keyOf } from '../collections/versioned-objects.ts';

/**
 * The pod that each DaemonSet adds to a node. A sample is its newest pod, because that shows what admission
 * changed in the template; without pods it is built from the template.
 */
export class DaemonPods {
  readonly #sets = new OrderedMap<DaemonSet>();
  readonly #pods = new Map<string, Map<string, ClusterPod>>();
  readonly #known = new Map<string, KnownDaemon>();
  readonly #outdated = new Set<string>();

  /**
   * Sorted by DaemonSet. Leaves out those with resource claims: on which nodes they will run is not known.
   */
  list(): readonly PodView[] {
    const views = this.#sets.values().flatMap((set) => this.#viewOf(set) ?? []);
    this.#outdated.clear();
    return views;
  }

  putSet(set: DaemonSet): void {
    this.#sets.set(keyOf(set), set);
    this.#outdated.add(keyOf(set));
  }

  removeSet(set: DaemonSet): void {
    this.#sets.delete(keyOf(set));
    this.#known.delete(keyOf(set));
  }

  putPod(pod: ClusterPod): void {
    const owner = setKeyOf(pod);
    if (owner === undefined) return;
    const pods = this.#pods.get(owner) ?? new Map();
    this.#pods.set(owner, pods.set(keyOf(pod), pod));
    this.#outdated.add(owner);
  }

  removePod(pod: ClusterPod): void {
    const owner = setKeyOf(pod);
    const pods = owner === undefined ? undefined : this.#pods.get(owner);
    if (owner === undefined || !pods?.delete(keyOf(pod))) return;
    if (pods.size === 0) this.#pods.delete(owner);
    this.#outdated.add(owner);
  }

  /**
   * Returns the same object while the DaemonSet and its newest pod are the same, so planners can cache by it.
   */
  #viewOf(set: DaemonSet): PodView | undefined {
    const key = keyOf(set);
    const known = this.#known.get(key);
    if (known !== undefined && !this.#outdated.has(key)) return known.view;
    const newest = [...(this.#pods.get(key)?.values() ?? [])].sort(byAge)[0];
    if (known?.set === set && known.newest === newest) return known.view;
    const view = daemonPod(set, newest);
    this.#known.set(key, { set, newest, view });
    return view;
  }
}

interface KnownDaemon {
  readonly set: DaemonSet;
  readonly newest: ClusterPod | undefined;
  readonly view: PodView | undefined;
}

function setKeyOf({ metadata }: ClusterPod): string | undefined {
  const owner = controllerReference(metadata);
  return owner?.kind === 'DaemonSet' ? `${metadata.namespace}/${owner.name}` : undefined;
}

function daemonPod(set: DaemonSet, newest: ClusterPod | undefined): PodView | undefined {
  const view = newest === undefined ? templatePod(set) : withoutNodePin(newest, set);
  return usesDynamicResources(view.spec) ? undefined : view;
}

function byAge(a: ClusterPod, b: ClusterPod): number {
  const [first = '', second = ''] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  return compareTimestamps(second, first) || byText(keyOf(a), keyOf(b));
}

function templatePod({ metadata, spec: { template } }: DaemonSet): PodView {
  const { name, namespace } = metadata;
  const { labels, annotations } = template.metadata ?? {};
  return {
    metadata: {
      name,
      namespace,
      uid: `${namespace}/DaemonSet/${name}`,
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
    },
    spec: withLimitsAsRequests({ spec: template.spec }).spec,
  };
}

/**
 * The DaemonSet controller pins each pod to its node by required node affinity. For other nodes only the
 * template's affinity applies.
 */
function withoutNodePin({ metadata, spec }: ClusterPod, set: DaemonSet): PodView {
  const required =
    set.spec.template.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  // The pin needs no removal then: it uses matchFields, which plans ignore.
  if (required === undefined) return { metadata, spec };
  const { affinity } = spec;
  const nodeAffinity = {
    ...affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: required,
  };
  const unpinned: PodSpecView = { ...spec, affinity: { ...affinity, nodeAffinity } };
  return { metadata, spec: unpinned };
}
