import { controllerNames, operatorMetrics, reconcilePeriods } from '@karpenter/core/api';
import { type NodeState, ResourceTotal } from '@karpenter/core/state';
import { parseResourceList, toNumber } from '@karpenter/core/values';
import type { Clock, Runnable } from '@karpenter/kube/runtime';
import { mapInSlices } from '@karpenter/kube/yielding';
import type { ControllerContext } from '../context/index.ts';
import { type GaugeReading, GaugeSet } from '../gauges/index.ts';
import { NodeReadings } from './node-readings.ts';

type NodeMetricsContext = Pick<ControllerContext, 'cluster' | 'meters' | 'clock' | 'vocabulary'>;

/**
 * Publishes allocatable, requests, limits and age of each node, the utilization of the cluster and the sync
 * state.
 */
export function nodeStateGauges(context: NodeMetricsContext): Runnable {
  const { cluster, meters, clock } = context;
  const gauges = new NodeGauges(context);
  let lastSynced = clock.now();
  return {
    singleton: {
      name: controllerNames.nodeMetrics,
      reconcile: async () => {
        const { nodeStates } = cluster.snapshot();
        await gauges.show(nodeStates.filter(({ node }) => node !== undefined));
        meters.set(operatorMetrics.clusterStateNodes, {}, nodeStates.length);
        meters.set(operatorMetrics.clusterStateSynced, {}, Number(cluster.synced));
        if (cluster.synced) lastSynced = clock.now();
        meters.set(operatorMetrics.clusterStateUnsyncedTime, {}, (clock.now() - lastSynced) / 1000);
        return { requeueAfter: reconcilePeriods.nodeMetrics };
      },
    },
  };
}

/** The key of the gauges of the whole cluster; no node has this id. */
const clusterKey = '';

/** The gauges of all nodes. Snapshots share unchanged nodes, so a node that is the same object is skipped. */
class NodeGauges {
  readonly #gauges: GaugeSet;
  readonly #readings: NodeReadings;
  readonly #clock: Clock;
  /** The state of each node that the gauges and sums show, by id. */
  readonly #shown = new Map<string, NodeState>();
  readonly #allocatable = new ResourceTotal();
  readonly #requested = new ResourceTotal();

  constructor({ meters, vocabulary, clock }: NodeMetricsContext) {
    this.#clock = clock;
    this.#gauges = new GaugeSet(meters);
    this.#readings = new NodeReadings([...vocabulary.wellKnownLabels]);
  }

  async show(nodes: readonly NodeState[]): Promise<void> {
    const now = new Set(nodes.map(({ id }) => id));
    for (const state of this.#shown.values()) if (!now.has(state.id)) this.#forget(state);
    // Yields in between: a large cluster has thousands of nodes, each with dozens of gauges (ADR 0032).
    await mapInSlices(nodes, (state) => this.#showOne(state), this.#clock);
    this.#gauges.show(clusterKey, this.#utilization());
  }

  #showOne(state: NodeState): void {
    const before = this.#shown.get(state.id);
    if (before === state) return;
    if (before !== undefined) this.#sum(before, 'subtract');
    this.#sum(state, 'add');
    this.#shown.set(state.id, state);
    this.#gauges.show(state.id, this.#readings.of(state));
  }

  #forget(state: NodeState): void {
    this.#sum(state, 'subtract');
    this.#shown.delete(state.id);
    this.#gauges.forget(state.id);
  }

  #sum(state: NodeState, change: 'add' | 'subtract'): void {
    const { allocatable, requested } = this.#readings.resourcesOf(state);
    this.#allocatable[change](allocatable);
    this.#requested[change](requested);
  }

  /** The share of the allocatable resources of all nodes that pods request, in percent. */
  #utilization(): readonly GaugeReading[] {
    const requested = parseResourceList(this.#requested.texts());
    return Object.entries(parseResourceList(this.#allocatable.texts())).map(([resource, quantity]) => {
      const total = toNumber(quantity);
      const used = requested[resource];
      const value = total === 0 || used === undefined ? 0 : (100 * toNumber(used)) / total;
      return { gauge: operatorMetrics.clusterUtilization, labels: { resource_type: resource }, value };
    });
  }
}
