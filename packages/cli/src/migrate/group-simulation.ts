import type { MappedGroup, MisfitPod } from '@karpenter/aws/migration';
import type { NodePool } from '@karpenter/core/api';
import { stringify } from 'yaml';
import type { ClusterChoice } from '../cluster-view/index.ts';
import { noChoices, type Simulated, type SimulationPorts, simulate } from '../simulate/index.ts';
import { type LiveFacts, liveSimulation } from '../what-if/index.ts';

export interface GroupSimulation {
  readonly simulated: Simulated;
  readonly facts: LiveFacts;
  readonly misfits: readonly MisfitPod[];
  /** Dollars an hour of the replicas of static NodePools that no pod of the plan needs. */
  readonly idlePrice: number;
}

export interface SimulatedGroups {
  /** Names. */
  readonly nodes: readonly string[];
  /** NodePools that are not in the cluster yet. */
  readonly nodePools: readonly NodePool[];
  /** Where new nodes are, if nothing in the cluster says it. */
  readonly region?: string;
}

/** Plans the live cluster without these nodes, with the planner of the controllers. Nothing is written. */
export async function simulateGroups(
  choice: ClusterChoice,
  { nodes, nodePools, region }: SimulatedGroups,
  ports: SimulationPorts,
): Promise<GroupSimulation> {
  const text = nodePools.map((pool) => `---\n${stringify(plannable(pool))}`).join('');
  const add = nodePools.length === 0 ? [] : [{ name: 'the NodePools of the groups', text }];
  const whatIf = { add, set: [], removeNodes: nodes, consolidate: false };
  const choices = region === undefined ? noChoices : { ...noChoices, region };
  const { simulation, facts } = await liveSimulation(choice, whatIf, { ports, choices });
  const simulated = simulate(simulation, ports);
  return {
    simulated,
    facts,
    misfits: misfitsOf(simulated, facts, nodes),
    idlePrice: idlePrice(simulated, nodePools),
  };
}

export function poolsOf(mapped: readonly MappedGroup[]): readonly NodePool[] {
  return mapped.flatMap(({ nodePools }) => nodePools);
}

/** A static pool takes pods only once its nodes exist, so it is planned as a pool that may make as many. */
function plannable(pool: NodePool): NodePool {
  const { replicas, ...spec } = pool.spec;
  return replicas === undefined ? pool : { ...pool, spec: { ...spec, limits: { nodes: String(replicas) } } };
}

/** Pods of these nodes alone: those that are pending already had no place before. */
function misfitsOf(
  { plan, findings }: Simulated,
  { places }: LiveFacts,
  nodes: readonly string[],
): readonly MisfitPod[] {
  const causes = [
    ...plan.rejections.map(({ pod, message }) => ({ uid: pod, cause: message })),
    ...findings.ignored.map(({ uid, message }) => ({ uid, cause: message })),
  ];
  const removed = new Set(nodes);
  return causes.flatMap(({ uid, cause }) => {
    const place = places.get(uid);
    return place !== undefined && removed.has(place.from) ? [{ pod: place.pod, cause }] : [];
  });
}

/** Static replicas run whether or not pods need them; those that the plan did not fill cost the price of a filled one. */
function idlePrice({ plan }: Simulated, nodePools: readonly NodePool[]): number {
  return nodePools.reduce((sum, { metadata, spec }) => {
    const made = plan.newNodes.filter(({ nodePool }) => nodePool === metadata.name);
    const idle = Math.max(0, (spec.replicas ?? 0) - made.length);
    return sum + idle * (made[0]?.price ?? 0);
  }, 0);
}
