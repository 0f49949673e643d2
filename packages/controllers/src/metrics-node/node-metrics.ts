import { controllerNames, operatorMetrics, reconcilePeriods } from '@karpenter/core/api';
import type { NodeState } from '@karpenter/core/state';
import { sumResources, toNumber } from '@karpenter/core/values';
import type { Clock, Runnable } from '@karpenter/kube/runtime';
import { mapInSlices } from '@karpenter/kube/yielding';
import type { ControllerContext } from '../context/index.ts';
import { type GaugeReading, GaugeSet } from '../gauges/index.ts';
import { NodeReadings, type NodeResourceReadings } from './node-readings.ts';

type NodeMetricsContext = Pick<ControllerContext, 'cluster' | 'meters' | 'clock' | 'vocabulary'>;

/**
 * Publishes allocatable, requests, limits and age of each node, the utilization of the cluster and the sync
 * state.
 */
export function nodeStateGauges(context: NodeMetricsContext): Runnable {
  const { cluster, meters, clock } = context;
  const shown = new NodeGauges(context);
  let lastSynced = clock.now();
  return {
    singleton: {
      name: controllerNames.nodeMetrics,
      reconcile: async () => {
        const { nodeStates } = cluster.snapshot();
        await shown.show(nodeStates.filter(({ node }) => node !== undefined));
        meters.set(operatorMetrics.clusterStateNodes, {}, nodeStates.length);
        meters.set(operatorMetrics.clusterStateSynced, {}, Number(cluster.synced));
        if (cluster.synced) lastSynced = clock.now();
        meters.set(operatorMetrics.clusterStateUnsyncedTime, {}, (clock.now() - lastSynced) / 1000);
        return { requeueAfter: reconcilePeriods.nodeMetrics };
      },
    },
  };
}

/** The key of the gauges of the clusterKey cluster; no node has this id. */
const clusterKey = '';

/** The gauges of all nodes. Snapshots share unchanged nodes, so a node that is the same object is skipped. */
class NodeGauges {
  readonly #gauges: GaugeSet;
  readonly #readings: NodeReadings;
  readonly #clock: Clock;
  /** The state of each node at the last update, by id. */
  #last: ReadonlyMap<string, NodeState> = new Map();

  constructor({ meters, vocabulary, clock }: NodeMetricsContext) {
    this.#clock = clock;
    this.#gauges = new GaugeSet(meters);
    this.#readings = new NodeReadings([...vocabulary.wellKnownLabels]);
  }

  async show(nodes: readonly NodeState[]): Promise<void> {
    const now = new Map(nodes.map((state) => [state.id, state]));
    for (const id of this.#last.keys()) if (!now.has(id)) this.#gauges.forget(id);
    // A large cluster has thousands of nodes, each with dozens of gauges.
    await mapInSlices(nodes, (state) => this.#showOne(state), this.#clock);
    this.#last = now;
    this.#gauges.show(clusterKey, utilization(nodes.map((state) => this.#readings.resourcesOf(state))));
  }

  #showOne(state: NodeState): void {
    if (this.#last.get(state.id) === state) return;
    this.#gauges.show(state.id, this.#readings.of(state));
  }
}

/** The share of the allocatable resources of all nodes that pods request, in percent. */
function utilization(nodes: readonly NodeResourceReadings[]): readonly GaugeReading[] {
  const allocatable = sumResources(...nodes.map((node) => node.allocatable));
  const requested = sumResources(...nodes.map((node) => node.requested));
  return Object.entries(allocatable).map(([resource, quantity]) => {
    const total = toNumber(quantity);
    const used = requested[resource];
    const value = total === 0 || used === undefined ? 0 : (100 * toNumber(used)) / total;
    return { gauge: operatorMetrics.clusterUtilization, labels: { resource_type: resource }, value };
  });
}
