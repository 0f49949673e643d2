import { setImmediate } from 'node:timers/promises';
import { controllerNames, operatorMetrics, reconcilePeriods } from '@karpenter/core/api';
import type { NodeState } from '@karpenter/core/state';
import { sumResources, toNumber } from '@karpenter/core/values';
import type { Runnable } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';
import { GaugeBook, type Reading } from '../gauges/index.ts';
import { NodeReadings, type NodeRoom } from './node-readings.ts';

type NodeMetricsContext = Pick<ControllerContext, 'cluster' | 'meters' | 'clock' | 'vocabulary'>;

/** Shows of each node what it has, what its pods take and how old it is, and how full all of them are. */
export function nodeStateGauges(context: NodeMetricsContext): Runnable {
  const { cluster, meters, clock } = context;
  const shown = new ShownNodes(context);
  let agreed = clock.now();
  return {
    singleton: {
      name: controllerNames.nodeMetrics,
      reconcile: async () => {
        const { nodeStates } = cluster.snapshot();
        await shown.show(nodeStates.filter(({ node }) => node !== undefined));
        meters.set(operatorMetrics.clusterStateNodes, {}, nodeStates.length);
        meters.set(operatorMetrics.clusterStateSynced, {}, Number(cluster.synced));
        if (cluster.synced) agreed = clock.now();
        meters.set(operatorMetrics.clusterStateUnsyncedTime, {}, (clock.now() - agreed) / 1000);
        return { requeueAfter: reconcilePeriods.nodeMetrics };
      },
    },
  };
}

/** Thousands of nodes are shown a few at a time, so that others have their turn. */
const nodesPerTurn = 10;
/** Under which the readings of the cluster as a whole are kept; no node has this id. */
const whole = '';

class ShownNodes {
  readonly #gauges: GaugeBook;
  readonly #readings: NodeReadings;
  /** What was last shown of each node, by id. */
  #last: ReadonlyMap<string, NodeState> = new Map();

  constructor({ meters, vocabulary }: NodeMetricsContext) {
    this.#gauges = new GaugeBook(meters);
    this.#readings = new NodeReadings([...vocabulary.wellKnownLabels]);
  }

  async show(nodes: readonly NodeState[]): Promise<void> {
    const now = new Map(nodes.map((state) => [state.id, state]));
    for (const id of this.#last.keys()) if (!now.has(id)) this.#gauges.forget(id);
    for (const [index, state] of nodes.entries()) {
      this.#showOne(state);
      if ((index + 1) % nodesPerTurn === 0) await setImmediate();
    }
    this.#last = now;
    this.#gauges.show(whole, utilization(nodes.map((state) => this.#readings.roomOf(state))));
  }

  #showOne(state: NodeState): void {
    if (this.#last.get(state.id) === state) return;
    this.#gauges.show(state.id, this.#readings.of(state));
  }
}

/** What pods request of all that nodes have for them, in percent. */
function utilization(nodes: readonly NodeRoom[]): readonly Reading[] {
  const allocatable = sumResources(...nodes.map((node) => node.allocatable));
  const requested = sumResources(...nodes.map((node) => node.requested));
  return Object.entries(allocatable).map(([resource, quantity]) => {
    const total = toNumber(quantity);
    const used = requested[resource];
    const value = total === 0 || used === undefined ? 0 : (100 * toNumber(used)) / total;
    return { gauge: operatorMetrics.clusterUtilization, labels: { resource_type: resource }, value };
  });
}
