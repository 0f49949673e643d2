import type { PodMetadata } from '../scheduling/index.ts';
import {
  controllerReference,
  type LabelSelector,
  type LabelSelectorRequirement,
  type Labels,
} from '../values/index.ts';
import type { LabelSource, NamespacedName, SelectorSource, SpreadSources } from './spread-sources.ts';

/**
 * Deduces the selector for a pod's default spread constraints, as the kube-scheduler's PodTopologySpread
 * plugin does.
 */
export class SelectorDeduction {
  /** Sorted by name, because later Services override labels of earlier ones. */
  readonly #services: ReadonlyMap<string, readonly Labels[]>;
  readonly #replicationControllers: ReadonlyMap<string, LabelSource>;
  readonly #sets: ReadonlyMap<string, SelectorSource>;

  constructor({ services, replicationControllers, replicaSets, statefulSets }: SpreadSources) {
    this.#services = servicesByNamespace(services);
    this.#replicationControllers = new Map(
      replicationControllers.map((controller) => [nameText(controller.metadata), controller]),
    );
    this.#sets = new Map([
      ...replicaSets.map((set) => [`ReplicaSet ${nameText(set.metadata)}`, set] as const),
      ...statefulSets.map((set) => [`StatefulSet ${nameText(set.metadata)}`, set] as const),
    ]);
  }

  /** Undefined if nothing selects the pod. */
  selectorOf(metadata: PodMetadata): LabelSelector | undefined {
    const matchLabels = { ...this.#serviceLabels(metadata), ...this.#controllerLabels(metadata) };
    const matchExpressions = this.#setExpressions(metadata);
    const isEmpty = Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
    return isEmpty ? undefined : { matchLabels, matchExpressions };
  }

  #serviceLabels({ namespace, labels = {} }: PodMetadata): Labels {
    const matching = (this.#services.get(namespace) ?? []).filter((selector) => selects(selector, labels));
    return Object.assign({}, ...matching);
  }

  #controllerLabels(metadata: PodMetadata): Labels {
    const owner = controllerReference(metadata);
    if (owner?.kind !== 'ReplicationController' || (owner.apiVersion ?? 'v1') !== 'v1') return {};
    const { namespace } = metadata;
    return this.#replicationControllers.get(nameText({ ...owner, namespace }))?.spec.selector ?? {};
  }

  /** Added to the other terms even if they contradict them, as in the kube-scheduler. */
  #setExpressions(metadata: PodMetadata): readonly LabelSelectorRequirement[] {
    const owner = controllerReference(metadata);
    if (owner === undefined || (owner.apiVersion ?? 'apps/v1') !== 'apps/v1') return [];
    const { namespace } = metadata;
    const set = this.#sets.get(`${owner.kind} ${nameText({ ...owner, namespace })}`);
    const { matchLabels = {}, matchExpressions = [] } = set?.spec.selector ?? {};
    return [
      ...Object.entries(matchLabels).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
      ...matchExpressions,
    ];
  }
}

function servicesByNamespace(services: readonly LabelSource[]): ReadonlyMap<string, readonly Labels[]> {
  const byNamespace = new Map<string, Labels[]>();
  for (const { metadata, spec } of services.toSorted((a, b) =>
    a.metadata.name < b.metadata.name ? -1 : 1,
  )) {
    if (spec.selector === undefined) continue;
    const known = byNamespace.get(metadata.namespace);
    if (known === undefined) byNamespace.set(metadata.namespace, [spec.selector]);
    else known.push(spec.selector);
  }
  return byNamespace;
}

function selects(selector: Labels, labels: Labels): boolean {
  return Object.entries(selector).every(([key, value]) => labels[key] === value);
}

function nameText({ namespace, name }: NamespacedName): string {
  return `${namespace}/${name}`;
}
