import {
  type GaugeDefinition,
  labelKeys,
  nodeStateMetrics,
  parseTimestamp,
  shortMetricLabel,
} from '@karpenter/core/api';
import type { NodeState } from '@karpenter/core/state';
import {
  parseResourceList,
  podLimits,
  type ResourceList,
  subtractResources,
  sumResources,
  toNumber,
} from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import type { Reading } from '../gauges/index.ts';

/** What there is to show of a node as long as nothing about it changes. */
export interface NodeReading {
  readonly labels: Readonly<Record<string, string>>;
  readonly gauges: readonly Reading[];
  readonly allocatable: ResourceList;
  readonly requested: ResourceList;
}

/** The readings of nodes, each worked out once for each state of its node. */
export class NodeReadings {
  readonly lifetime: GaugeDefinition;
  readonly #wellKnown: readonly string[];
  readonly #metrics: ReturnType<typeof nodeStateMetrics>;
  readonly #known = new WeakMap<NodeState, NodeReading>();

  constructor(wellKnownLabels: readonly string[]) {
    this.#wellKnown = wellKnownLabels;
    this.#metrics = nodeStateMetrics(wellKnownLabels);
    this.lifetime = this.#metrics.currentLifetime;
  }

  of(state: NodeState): NodeReading {
    const known = this.#known.get(state) ?? this.#read(state);
    this.#known.set(state, known);
    return known;
  }

  #read(state: NodeState): NodeReading {
    const { view, node, pods } = state;
    const labels = this.#labels(state);
    const allocatable = parseResourceList(node?.status?.allocatable);
    const capacity = parseResourceList(node?.status?.capacity);
    const requested = parseResourceList(view.podRequests);
    const amounts = [
      [this.#metrics.allocatable, allocatable],
      [this.#metrics.totalPodRequests, requested],
      [this.#metrics.totalPodLimits, limitsOf(pods)],
      [this.#metrics.totalDaemonRequests, parseResourceList(view.daemonRequests)],
      [this.#metrics.totalDaemonLimits, limitsOf(pods.filter(({ isDaemon }) => isDaemon))],
      [this.#metrics.systemOverhead, subtractResources(capacity, allocatable)],
    ] as const;
    const gauges = amounts.flatMap(([gauge, list]) =>
      Object.entries(list).map(([resource, quantity]) => ({
        gauge,
        labels: { ...labels, resource_type: resource },
        value: toNumber(quantity),
      })),
    );
    return { labels, gauges, allocatable, requested };
  }

  #labels({ node, view }: NodeState): Readonly<Record<string, string>> {
    const own = this.#wellKnown.map((key) => [shortMetricLabel(key), view.labels[key] ?? ''] as const);
    return {
      ...Object.fromEntries(own),
      node_name: node?.metadata.name ?? '',
      phase: '',
      managed: String((view.labels[labelKeys.nodePool] ?? '') !== ''),
    };
  }
}

/** In seconds. */
export function ageOf({ node }: NodeState, now: Instant): number {
  const created = parseTimestamp(node?.metadata.creationTimestamp ?? '');
  return created === undefined ? 0 : now / 1000 - created.epochSeconds;
}

function limitsOf(pods: NodeState['pods']): ResourceList {
  return sumResources(...pods.map(({ pod }) => podLimits(pod)));
}
