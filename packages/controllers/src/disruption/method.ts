import { type DisruptionReason, disruptionMetrics, type NodePool } from '@karpenter/core/api';
import {
  anticipate,
  type Candidate,
  type CandidateContext,
  ClusterSimulation,
  type Command,
  type ConsolidationType,
  candidateSteps,
  type DisruptionClass,
  type PoolBudget,
  poolBudgets,
  type SimulationOptions,
} from '@karpenter/core/disruption';
import { nodeClassKindOf, preparedPods } from '@karpenter/core/provisioning';
import type { PlanSignal } from '@karpenter/core/scheduling';
import type { ClusterSnapshot, NodeState } from '@karpenter/core/state';
import type { ControllerContext } from '../context/index.ts';
import type { CommandQueue } from '../disruption-queue/index.ts';
import { planOptions } from '../planning/index.ts';
import type { BudgetGauges } from './budget-gauges.ts';
import { publishBlocked, publishPoolBlocked } from './disruption-events.ts';
import type { Pass } from './pass.ts';
import { slicedSteps } from './sliced-steps.ts';
import type { WaitingCommands } from './waiting-commands.ts';

export interface MethodContext extends ControllerContext {
  readonly queue: CommandQueue;
  readonly waiting: WaitingCommands;
  readonly budgetGauges: BudgetGauges;
}

/** What one method sees: the cluster at a moment, and which nodes of it may go. */
export interface Round extends CandidateContext {
  readonly candidates: readonly Candidate[];
  readonly budgets: ReadonlyMap<string, PoolBudget>;
}

/** One way to disrupt nodes by choice. */
export interface Method {
  readonly reason: DisruptionReason;
  readonly consolidationType: ConsolidationType;
  readonly disruptionClass: DisruptionClass;
  /** Begins what can begin now, and looks for more that the cluster as it is then leaves to be done. */
  run(pass: Pass, signal: AbortSignal): Promise<void>;
}

/** Candidates and budgets as they are now; who may not go is told so. */
export async function beginRound(
  context: MethodContext,
  { snapshot, taken }: Pass,
  { reason, disruptionClass }: Pick<Method, 'reason' | 'disruptionClass'>,
  signal: AbortSignal,
): Promise<Round | undefined> {
  const candidateContext = { snapshot, queued: taken };
  const found = await slicedSteps(candidateSteps(candidateContext, disruptionClass), { ...context, signal });
  if (found === undefined) return undefined;
  publishBlocked(
    context,
    found.blocked.filter(({ state }) => isOurs(context, state)),
  );
  return {
    ...candidateContext,
    candidates: found.candidates.filter(({ state }) => isOurs(context, state)),
    budgets: reportedBudgets(context, snapshot, reason),
  };
}

/** Nodes of other clouds are none of our business. */
export function isOurs({ cloud }: MethodContext, { nodeClaim }: NodeState): boolean {
  return (
    nodeClaim !== undefined && nodeClassKindOf(nodeClaim.spec.nodeClassRef, cloud.nodeClasses) !== undefined
  );
}

function isOfOurCloud({ cloud }: MethodContext, { spec }: NodePool): boolean {
  return nodeClassKindOf(spec.template.spec.nodeClassRef, cloud.nodeClasses) !== undefined;
}

function reportedBudgets(
  context: MethodContext,
  snapshot: ClusterSnapshot,
  reason: DisruptionReason,
): ReadonlyMap<string, PoolBudget> {
  const nodePools = snapshot.nodePools.filter((nodePool) => isOfOurCloud(context, nodePool));
  const budgets = poolBudgets({ ...snapshot, nodePools }, reason);
  context.budgetGauges.show(reason, budgets);
  for (const [nodepool, { nodePool, total, allowed, isUnreadable }] of budgets) {
    if (isUnreadable)
      context.log.error('detected disruption budget errors', {
        NodePool: { name: nodepool },
        error:
          'a schedule or duration of a budget cannot be read; no node of the pool is disrupted until it is mended',
      });
    if (allowed === 0 && total > 0) publishPoolBlocked(context, nodePool, reason);
  }
  return budgets;
}

/** The number of nodes that could be disrupted for a reason, whatever budgets say. */
export function reportEligible(
  { meters, waiting }: MethodContext,
  reason: DisruptionReason,
  nodes: number,
): void {
  const found = waiting.of(reason).flatMap(({ command }) => command.candidates);
  meters.set(disruptionMetrics.eligibleNodes, { reason: reason.toLowerCase() }, nodes + found.length);
}

/** How long a method took to decide. */
export async function timed<T>(
  { meters, clock }: MethodContext,
  { reason, consolidationType }: Pick<Method, 'reason' | 'consolidationType'>,
  work: () => Promise<T>,
): Promise<T> {
  const started = clock.now();
  const result = await work();
  const labels = { reason: reason.toLowerCase(), consolidation_type: consolidationType };
  meters.observe(disruptionMetrics.evaluationDuration, labels, (clock.now() - started) / 1000);
  return result;
}

/**
 * The cluster to be asked what it would be without nodes, with all that is decided carried out; pods look as
 * provisioning sees them. Moved pods go to the last ones of `leaving` only if there is no room elsewhere: nodes that
 * receive pods cannot go themselves.
 */
export function* simulationSteps(
  context: MethodContext,
  snapshot: ClusterSnapshot,
  leaving: readonly Candidate[],
  decided: readonly Command[] = [],
): Generator<void, ClusterSimulation, PlanSignal> {
  const simulation = yield* ClusterSimulation.of(...simulated(context, snapshot, leaving));
  yield* anticipate(decided, simulation);
  return simulation;
}

function simulated(
  context: MethodContext,
  snapshot: ClusterSnapshot,
  leaving: readonly Candidate[],
): [ClusterSnapshot, SimulationOptions] {
  const { planning, waiting } = context;
  const surroundings = { ...planning.surroundings(), storage: snapshot.storage };
  const managed = snapshot.nodePools.filter((nodePool) => isOfOurCloud(context, nodePool));
  const going = [...waiting.all.flatMap(({ command }) => command.candidates), ...leaving];
  return [
    {
      ...snapshot,
      nodePools: managed,
      ...(surroundings.devices !== undefined && { devices: surroundings.devices }),
    },
    {
      plan: planOptions(context, 'fallback'),
      waiting: planning.input(snapshot).snapshot.pods,
      withSpread: (pods) =>
        surroundings.defaultSpread.length === 0
          ? pods
          : preparedPods({ pending: [], moving: pods }, surroundings).pods,
      filledLast: going.toReversed().map(({ name }) => name),
    },
  ];
}
