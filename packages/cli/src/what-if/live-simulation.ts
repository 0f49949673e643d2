import { type ClusterChoice, type ConnectedCluster, connectTo } from '../cluster-view/index.ts';
import type { FoundConsolidation } from '../consolidation/index.ts';
import {
  type Choices,
  type InputFile,
  type PlanSimulation,
  planSettings,
  poolNotes,
  type SimulationPorts,
  simulationOf,
} from '../simulate/index.ts';
import { type AddOptions, withAdded } from './added-objects.ts';
import { type ClusterPrice, clusterPrice } from './cluster-price.ts';
import { liveObjects } from './live-objects.ts';
import { liveConsolidation, livePlan } from './live-plan.ts';
import { type PodPlaces, podPlaces } from './moves.ts';
import type { ObjectLists } from './object-lists.ts';
import { type BlockedPod, withoutNodes } from './removed-nodes.ts';
import { withPoolFields } from './set-fields.ts';

/** Changes to a cluster that nobody makes, in the order in which they are applied. */
export interface WhatIf {
  readonly add: readonly InputFile[];
  /** As `--set` takes them. */
  readonly set: readonly string[];
  /** Names. */
  readonly removeNodes: readonly string[];
  /** Whether to look for what consolidation would do afterwards. */
  readonly consolidate: boolean;
}

export interface LiveSimulation {
  readonly simulation: PlanSimulation;
  readonly facts: LiveFacts;
}

/** What the output says besides the plan. */
export interface LiveFacts {
  /** Of the cluster as it is. */
  readonly before: ClusterPrice;
  /** Of the nodes that are left after the changes, without those of the plan. */
  readonly kept: ClusterPrice;
  readonly places: PodPlaces;
  readonly blocked: readonly BlockedPod[];
  /** A reason where it could not be searched; absent where nobody asked. */
  readonly consolidation?: FoundConsolidation | string;
}

export interface LiveInputs {
  readonly ports: SimulationPorts;
  readonly choices: Choices;
}

/** Reads the cluster once, changes the copy and prepares it for a plan. Sends no write. */
export async function liveSimulation(
  choice: ClusterChoice,
  whatIf: WhatIf,
  inputs: LiveInputs,
): Promise<LiveSimulation> {
  const connection = await connectTo(choice);
  try {
    return await preparedSimulation(connection, whatIf, inputs);
  } finally {
    await connection.client.close();
  }
}

async function preparedSimulation(
  connection: ConnectedCluster,
  whatIf: WhatIf,
  { ports, choices }: LiveInputs,
): Promise<LiveSimulation> {
  const notes: string[] = [];
  const note = (text: string) => void notes.push(text);
  const { clock, instanceTypes: fallback } = ports;
  const defaultSpread = choices.defaultConstraints;
  const settings = planSettings(choices.policies);
  const live = await liveObjects(connection, { settings, defaultSpread, note });
  const at = clock.now();
  const objectCheck = whatIf.add.length > 0 ? await ports.objectCheck?.() : undefined;
  const changed = changedCluster(live, whatIf, { at, objectCheck });
  notes.push(...changed.notes);
  const { region } = choices;
  const types = { connection, live, lists: changed.lists, fallback, region, note };
  const inputs = { ...types, settings, defaultSpread, at };
  const cluster = await livePlan(inputs, clock);
  const consolidation = whatIf.consolidate ? await liveConsolidation(cluster, settings, clock) : undefined;
  // After everything that can throw: a failure is reported by its error alone, without notes before it.
  for (const text of [...notes, ...poolNotes(cluster.input)]) ports.note(text);
  return {
    simulation: simulationOf(cluster, 'live', connection.server),
    facts: {
      before: clusterPrice(live),
      kept: clusterPrice(changed.lists),
      places: podPlaces(live),
      blocked: changed.blocked,
      ...(consolidation !== undefined && { consolidation }),
    },
  };
}

interface ChangedCluster {
  readonly lists: ObjectLists;
  readonly notes: readonly string[];
  readonly blocked: readonly BlockedPod[];
}

function changedCluster(
  live: ObjectLists,
  { add, set, removeNodes }: WhatIf,
  options: AddOptions,
): ChangedCluster {
  const { lists: added, notes } =
    add.length === 0 ? { lists: live, notes: [] } : withAdded(live, add, options);
  return { notes, ...withoutNodes(withPoolFields(added, set), removeNodes, options.at) };
}
