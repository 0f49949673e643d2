import { labelKeys, nodeStateMetrics, parseTimestamp, shortMetricLabel } from '@karpenter/core/api';
import type { GaugeValue } from '@karpenter/core/ports';
import type { NodeState } from '@karpenter/core/state';
import {
  parseResourceList,
  podLimits,
  type ResourceList,
  subtractResources,
  sumResources,
  toNumber,
} from '@karpenter/core/values';
import type { GaugeReading } from '../gauges/index.ts';

/** The allocatable resources of a node, and what its pods request of them. */
export interface NodeResourceReadings {
  readonly allocatable: ResourceList;
  readonly requested: ResourceList;
}

/** Computes the gauges of nodes. */
export class NodeReadings {
  /** Well-known node labels with their names as metric labels. */
  readonly #wellKnown: readonly (readonly [key: string, metricLabel: string])[];
  readonly #metrics: ReturnType<typeof nodeStateMetrics>;
  readonly #resources = new WeakMap<NodeState, NodeResourceReadings>();

  constructor(wellKnownLabels: readonly string[]) {
    this.#wellKnown = wellKnownLabels.map((key) => [key, shortMetricLabel(key)]);
    this.#metrics = nodeStateMetrics(wellKnownLabels);
  }

  /** Cached per state: the sums over all nodes add each state, and subtract it when the node changes. */
  resourcesOf(state: NodeState): NodeResourceReadings {
    const resources = this.#resources.get(state) ?? {
      allocatable: parseResourceList(state.node?.status?.allocatable),
      requested: parseResourceList(state.view.podRequests),
    };
    this.#resources.set(state, resources);
    return resources;
  }

  /**
   * All gauges of a node. They depend on the node state alone: the age is a start time, from which each scrape
   * computes it. `labels` are getters, because `GaugeSet` reads them only when `source` differs from the last reading.
   */
  of(state: NodeState): readonly GaugeReading[] {
    const { view, node, pods } = state;
    const labels = lazy(() => this.#labels(state));
    const { allocatable, requested } = this.resourcesOf(state);
    const amounts = [
      [this.#metrics.allocatable, allocatable],
      [this.#metrics.totalPodRequests, requested],
      [this.#metrics.totalPodLimits, limitsOf(pods)],
      [this.#metrics.totalDaemonRequests, parseResourceList(view.daemonRequests)],
      [this.#metrics.totalDaemonLimits, limitsOf(pods.filter(({ isDaemon }) => isDaemon))],
      [
        this.#metrics.systemOverhead,
        subtractResources(parseResourceList(node?.status?.capacity), allocatable),
      ],
    ] as const;
    const source = { object: view.labels, text: node?.metadata.name ?? '' };
    return [
      ...amounts.flatMap(([gauge, list]) =>
        Object.entries(list).map(([resource, quantity]) => ({
          gauge,
          get labels() {
            return { ...labels(), resource_type: resource };
          },
          value: toNumber(quantity),
          source: { ...source, text: `${resource} ${source.text}` },
        })),
      ),
      {
        gauge: this.#metrics.currentLifetime,
        get labels() {
          return labels();
        },
        value: lifetimeOf(state),
        source,
      },
    ];
  }

  #labels({ node, view }: NodeState): Readonly<Record<string, string>> {
    const wellKnown = this.#wellKnown.map(
      ([key, metricLabel]) => [metricLabel, view.labels[key] ?? ''] as const,
    );
    return {
      ...Object.fromEntries(wellKnown),
      node_name: node?.metadata.name ?? '',
      phase: '',
      managed: String((view.labels[labelKeys.nodePool] ?? '') !== ''),
    };
  }
}

/** Computes a value when it is first needed. */
function lazy<T extends object>(compute: () => T): () => T {
  let computed: T | undefined;
  return () => {
    computed ??= compute();
    return computed;
  };
}

function lifetimeOf({ node }: NodeState): GaugeValue {
  const created = parseTimestamp(node?.metadata.creationTimestamp ?? '');
  return created === undefined ? 0 : { since: created.epochSeconds * 1000 };
}

function limitsOf(pods: NodeState['pods']): ResourceList {
  return sumResources(...pods.map(({ pod }) => podLimits(pod)));
}
