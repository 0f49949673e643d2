import {
  controllerNames,
  labelKeys,
  nodeStateMetrics,
  operatorMetrics,
  parseTimestamp,
  reconcilePeriods,
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
import type { Instant, Runnable } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';
import { GaugeBook, type Reading } from '../gauges/index.ts';

type NodeMetricsContext = Pick<ControllerContext, 'cluster' | 'meters' | 'clock' | 'vocabulary'>;

/** Shows of each node what it has, what its pods take and how old it is, and how full all of them are. */
export function nodeStateGauges({ cluster, meters, clock, vocabulary }: NodeMetricsContext): Runnable {
  const gauges = new GaugeBook(meters);
  const nodes = new NodeReadings([...vocabulary.wellKnownLabels]);
  const began = clock.now();
  return {
    singleton: {
      name: controllerNames.nodeMetrics,
      reconcile: async () => {
        const { nodeStates } = cluster.snapshot();
        const joined = nodeStates.filter(({ node }) => node !== undefined);
        gauges.keep(new Set([...joined.map(({ id }) => id), whole]));
        for (const state of joined) gauges.show(state.id, nodes.of(state, clock.now()));
        gauges.show(whole, utilization(joined));
        meters.set(operatorMetrics.clusterStateNodes, {}, nodeStates.length);
        meters.set(operatorMetrics.clusterStateSynced, {}, Number(cluster.synced));
        const unsynced = cluster.synced ? 0 : (clock.now() - began) / 1000;
        meters.set(operatorMetrics.clusterStateUnsyncedTime, {}, unsynced);
        return { requeueAfter: reconcilePeriods.nodeMetrics };
      },
    },
  };
}

/** Under which the readings of the cluster as a whole are kept; no node has this id. */
const whole = '';

/** The readings of nodes; what does not change with time is worked out once for each state of a node. */
class NodeReadings {
  readonly #wellKnown: readonly string[];
  readonly #metrics: ReturnType<typeof nodeStateMetrics>;
  readonly #known = new WeakMap<NodeState, readonly Reading[]>();

  constructor(wellKnownLabels: readonly string[]) {
    this.#wellKnown = wellKnownLabels;
    this.#metrics = nodeStateMetrics(wellKnownLabels);
  }

  of(state: NodeState, now: Instant): readonly Reading[] {
    const known = this.#known.get(state) ?? this.#resources(state);
    this.#known.set(state, known);
    const created = parseTimestamp(state.node?.metadata.creationTimestamp ?? '');
    const value = created === undefined ? 0 : now / 1000 - created.epochSeconds;
    return [...known, { gauge: this.#metrics.currentLifetime, labels: this.#labels(state), value }];
  }

  #resources(state: NodeState): readonly Reading[] {
    const labels = this.#labels(state);
    const { view, node, pods } = state;
    const allocatable = parseResourceList(node?.status?.allocatable);
    const capacity = parseResourceList(node?.status?.capacity);
    const daemons = pods.filter(({ isDaemon }) => isDaemon);
    const amounts = {
      allocatable,
      totalPodRequests: parseResourceList(view.podRequests),
      totalPodLimits: limitsOf(pods),
      totalDaemonRequests: parseResourceList(view.daemonRequests),
      totalDaemonLimits: limitsOf(daemons),
      systemOverhead: subtractResources(capacity, allocatable),
    } as const;
    return (Object.keys(amounts) as (keyof typeof amounts)[]).flatMap((metric) =>
      Object.entries(amounts[metric]).map(([resource, quantity]) => ({
        gauge: this.#metrics[metric],
        labels: { ...labels, resource_type: resource },
        value: toNumber(quantity),
      })),
    );
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

function limitsOf(pods: NodeState['pods']): ResourceList {
  return sumResources(...pods.map(({ pod }) => podLimits(pod)));
}

/** What pods request of all that nodes have for them, in percent. */
function utilization(nodes: readonly NodeState[]): readonly Reading[] {
  const allocatable = sumResources(...nodes.map(({ view }) => parseResourceList(view.allocatable)));
  const requested = sumResources(...nodes.map(({ view }) => parseResourceList(view.podRequests)));
  return Object.entries(allocatable).flatMap(([resource, quantity]) => {
    const total = toNumber(quantity);
    const used = requested[resource];
    const value = total === 0 || used === undefined ? 0 : (100 * toNumber(used)) / total;
    return [{ gauge: operatorMetrics.clusterUtilization, labels: { resource_type: resource }, value }];
  });
}
