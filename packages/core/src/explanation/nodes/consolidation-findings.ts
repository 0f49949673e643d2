import { disruptionReasons } from '../../api/index.ts';
import {
  BudgetLedger,
  type Candidate,
  CandidateEvaluator,
  ClusterSimulation,
  type Command,
  type ConsolidationSearch,
  consolidate,
  consolidationGate,
  emptinessGate,
  evaluateConsolidatable,
  findCandidates,
  gatedCandidates,
  isEmptyCandidate,
  isPlanned,
  PriceBook,
  poolBudgets,
  poolTotals,
  unlimitedDisruptions,
} from '../../disruption/index.ts';
import { CodedError } from '../../errors/index.ts';
import { planInput } from '../../provisioning/index.ts';
import { runAtOnce, type Steps } from '../../yielding/index.ts';
import type { Finding } from '../explanation.ts';
import { budgetFindings } from '../pools/budget-findings.ts';
import type { ExplainedCluster } from '../situation.ts';
import { blocked, dollars, fact, listed, met } from '../wording.ts';

/** Joint consolidation is searched in clusters up to this size: somebody waits for the answer. */
const maxNodesForJointSearch = 150;

/** Why a node that may be disrupted is not consolidated, or what consolidation would do with it. */
export function consolidationFindings(explained: ExplainedCluster, candidate: Candidate): readonly Finding[] {
  const isEmpty = isEmptyCandidate(candidate);
  const reason = isEmpty ? disruptionReasons.empty : disruptionReasons.underutilized;
  const gate = gateFindings(candidate, explained.cluster.at);
  const budget = budgetFindings(explained, candidate.nodePool.metadata.name, [reason]);
  if (gate.length > 0) return [...gate, ...budget];
  if (isEmpty) return [met('it is empty and can be deleted'), ...budget];
  return [...searchFindings(explained, candidate), ...budget];
}

function gateFindings(candidate: Candidate, at: number): readonly Finding[] {
  const { nodePool, nodeClaim } = candidate;
  const verdict = isEmptyCandidate(candidate) ? emptinessGate(candidate) : consolidationGate(candidate);
  if (verdict.isOpen) return [];
  if (verdict.message !== undefined) return [blocked(verdict.message)];
  const { name } = nodePool.metadata;
  if (nodePool.spec.replicas !== undefined)
    return [blocked(`NodePool ${name} is static: its replicas decide, and nothing is consolidated`)];
  const consolidatable = evaluateConsolidatable(nodeClaim, nodePool, at);
  if (consolidatable.isConsolidatable)
    return [
      blocked('its condition Consolidatable is not True yet, or a delay of its NodePool has not passed'),
    ];
  const { requeueAfter, reason } = consolidatable;
  if (requeueAfter === undefined) return [blocked(reason)];
  const { consolidateAfter } = nodePool.spec.disruption;
  return [
    blocked(`a pod came or went less than consolidateAfter ${consolidateAfter} ago`, {
      until: at + requeueAfter,
    }),
  ];
}

function searchFindings(explained: ExplainedCluster, candidate: Candidate): readonly Finding[] {
  try {
    const alone = searchAmong(explained, [candidate]);
    const found = alone.commands[0]?.command;
    if (found !== undefined) return [commandFinding(found, candidate)];
    return [...keptFindings(explained, candidate, alone), ...jointFindings(explained, candidate)];
  } catch (error) {
    if (error instanceof CodedError && error.code === 'no-usable-node-pool') return [blocked(error.message)];
    throw error;
  }
}

function commandFinding({ candidates, replacements, savings }: Command, { name }: Candidate): Finding {
  const others = candidates.map((each) => each.name).filter((each) => each !== name);
  const together = others.length > 0 ? ` together with ${listed(others)}` : '';
  const [replacement] = replacements;
  const how =
    replacement === undefined
      ? 'its pods fit on other nodes, so consolidation deletes it'
      : `consolidation replaces it${together} by ${isPlanned(replacement) ? `${replacement.instanceTypes[0]} at ${dollars(replacement.price)}` : 'a new node'}`;
  return met(`${how}, which saves ${dollars(savings)}`);
}

function keptFindings(
  explained: ExplainedCluster,
  candidate: Candidate,
  { unconsolidatable, refused }: ConsolidationSearch,
): readonly Finding[] {
  const [first] = unconsolidatable;
  if (first !== undefined) return [blocked(first.message, { details: priceDetails(explained, candidate) })];
  const [score] = refused;
  if (score !== undefined)
    return [
      blocked('the policy Balanced of its NodePool finds that it saves too little for what it disturbs'),
    ];
  return [blocked('it saves less than the thresholds of its NodePool ask for')];
}

/** What a replacement would cost, next to what the node costs. */
function priceDetails(explained: ExplainedCluster, candidate: Candidate): readonly Finding[] {
  const outcome = runAtOnce(runAtOnce(simulationOf(explained)).without([candidate]));
  const [planned] = outcome.plan.newNodes;
  if (planned === undefined || outcome.failures.length > 0) return [];
  return [
    fact(
      `it costs ${dollars(candidate.price)}; the cheapest node for its pods is ${planned.instanceTypes[0]} at ${dollars(planned.price)}`,
    ),
  ];
}

function jointFindings(explained: ExplainedCluster, candidate: Candidate): readonly Finding[] {
  const { cluster } = explained;
  if (cluster.nodeStates.length > maxNodesForJointSearch) return [];
  const { candidates } = findCandidates({ snapshot: cluster, queued: new Set() }, 'graceful');
  const { commands } = searchAmong(explained, gatedCandidates(candidates).eligible);
  const joint = commands.find(({ command }) =>
    command.candidates.some(({ name }) => name === candidate.name),
  );
  return joint === undefined ? [] : [commandFinding(joint.command, candidate)];
}

/** The search of the controllers with budgets lifted: they decide when and not what. */
function searchAmong(explained: ExplainedCluster, candidates: readonly Candidate[]): ConsolidationSearch {
  const { cluster, disruption } = explained;
  const context = { snapshot: cluster, queued: new Set<string>() };
  const budgets = [...poolBudgets(cluster, disruptionReasons.underutilized)].map(
    ([name, budget]) =>
      [
        name,
        { ...budget, allowed: unlimitedDisruptions, remaining: unlimitedDisruptions, consuming: 0 },
      ] as const,
  );
  return runAtOnce(
    consolidate({
      candidates,
      ledger: new BudgetLedger(new Map(budgets)),
      simulate: () => simulationOf(explained),
      decision: {
        prices: new PriceBook(cluster.instanceTypes, disruption.options),
        allowsSpotToSpot: disruption.allowsSpotToSpot,
      },
      totals: poolTotals(cluster, new CandidateEvaluator(context)),
    }),
  );
}

function simulationOf({ cluster, environment, disruption }: ExplainedCluster): Steps<ClusterSimulation> {
  const waiting = planInput(cluster, environment).snapshot.pods;
  return ClusterSimulation.of(cluster, { plan: disruption.options, waiting });
}
