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
  type PodMoves,
  type PoolBudget,
  poolBudgets,
} from '@karpenter/core/disruption';
import { nodeClassKindOf } from '@karpenter/core/provisioning';
import type { ClusterSnapshot, NodeState } from '@karpenter/core/state';
import type { Steps } from '@karpenter/core/yielding';
import { runStepsUntilAborted, yieldToEventLoop } from '@karpenter/kube/yielding';
import type { ControllerContext } from '../context/index.ts';
import type { CommandQueue } from '../disruption-queue/index.ts';
import { simulationInput } from '../planning/index.ts';
import type { BudgetGauges } from './budget-gauges.ts';
import { publishBlocked, publishPoolBlocked } from './disruption-events.ts';
import type { Pass } from './pass.ts';
import type { StartAllOptions } from './start-all.ts';
import type { WaitingCommands } from './waiting-commands.ts';

type SharedContext = Pick<
  ControllerContext,
  'cluster' | 'recorder' | 'meters' | 'log' | 'clock' | 'settings' | 'planning' | 'vocabulary' | 'decisions'
>;

/** Dependencies and state that the methods share, for as long as the process leads. */
export interface MethodContext extends SharedContext {
  readonly cloud: Pick<ControllerContext['cloud'], 'nodeClasses'>;
  /** Commands that have started. */
  readonly queue: Pick<CommandQueue, 'nodes'>;
  /** Commands that wait for their validation delay or for a budget. */
  readonly waiting: WaitingCommands;
  /** Pods that consolidation has moved lately. */
  readonly podMoves: PodMoves;
  readonly budgetGauges: BudgetGauges;
  /** Starts commands; throws the failures of all of them together after every command was tried. */
  readonly start: (commands: readonly Command[], options: StartAllOptions) => Promise<void>;
}

/** What a method decides on: a snapshot, the candidates in it and the budgets for the method's reason. */
export interface MethodInput extends CandidateContext {
  readonly candidates: readonly Candidate[];
  readonly budgets: ReadonlyMap<string, PoolBudget>;
}

/** One method of voluntary disruption, as Karpenter's `Method`. */
export interface Method {
  readonly reason: DisruptionReason;
  readonly consolidationType: ConsolidationType;
  readonly disruptionClass: DisruptionClass;
  /**
   * Starts the commands that are due, then searches for new ones. An error ends the pass: the controller
   * retries it after a backoff.
   */
  run(pass: Pass, signal: AbortSignal): Promise<void>;
}

/**
 * Finds the candidates and budgets of a method, and publishes which nodes and NodePools are blocked.
 * Undefined when the signal aborts first.
 */
export async function prepareInput(
  context: MethodContext,
  pass: Pass,
  { reason, disruptionClass }: Pick<Method, 'reason' | 'disruptionClass'>,
  signal: AbortSignal,
): Promise<MethodInput | undefined> {
  const { snapshot } = pass;
  const candidateContext = { snapshot, queued: pass.nodesInCommands(reason) };
  const steps = candidateSteps(candidateContext, disruptionClass);
  const found = await runStepsUntilAborted(steps, { ...context, signal });
  if (found === undefined) return undefined;
  const isOurs = ({ state }: { readonly state: NodeState }) => isManaged(context, state);
  await publishBlocked(context, found.blocked.filter(isOurs));
  const candidates = found.candidates.filter(isOurs);
  await yieldToEventLoop();
  return { ...candidateContext, candidates, budgets: reportBudgets(context, snapshot, reason) };
}

/**
 * Whether the node's NodeClass is of a kind of this cloud provider; others may manage nodes in the same
 * cluster.
 */
export function isManaged({ cloud }: MethodContext, { nodeClaim }: NodeState): boolean {
  return (
    nodeClaim !== undefined && nodeClassKindOf(nodeClaim.spec.nodeClassRef, cloud.nodeClasses) !== undefined
  );
}

function isManagedPool({ cloud }: MethodContext, { spec }: NodePool): boolean {
  return nodeClassKindOf(spec.template.spec.nodeClassRef, cloud.nodeClasses) !== undefined;
}

/**
 * Computes the budgets of managed NodePools for a reason, and reports them as gauges, events and log lines.
 */
function reportBudgets(
  context: MethodContext,
  snapshot: ClusterSnapshot,
  reason: DisruptionReason,
): ReadonlyMap<string, PoolBudget> {
  // Not a copy of the whole snapshot: that would compute its list of all bound pods.
  const { nodeStates, at } = snapshot;
  const nodePools = snapshot.nodePools.filter((nodePool) => isManagedPool(context, nodePool));
  const budgets = poolBudgets({ nodePools, nodeStates, at }, reason);
  context.budgetGauges.show(reason, budgets);
  for (const [nodepool, { nodePool, total, allowed, isUnreadable }] of budgets) {
    if (isUnreadable)
      context.log.error('detected disruption budget errors', {
        NodePool: { name: nodepool },
        error:
          'a schedule or duration of a budget cannot be read; no node of the pool is disrupted until it is corrected',
      });
    if (allowed === 0 && total > 0) publishPoolBlocked(context, nodePool, reason);
  }
  return budgets;
}

/**
 * Sets the gauge of nodes that are eligible for a reason, regardless of budgets. Nodes of waiting commands
 * count too: some are no candidates any more, but nothing has happened to them yet.
 */
export function reportEligible(
  { meters, waiting }: MethodContext,
  reason: DisruptionReason,
  candidates: readonly Pick<Candidate, 'id'>[],
): void {
  const inWaiting = waiting.of(reason).flatMap(({ command }) => command.candidates);
  const nodes = new Set([...candidates, ...inWaiting].map(({ id }) => id));
  meters.set(disruptionMetrics.eligibleNodes, { reason: reason.toLowerCase() }, nodes.size);
}

/**
 * Counts candidates that failed validation. Constructors of methods count zero: `rate` over a counter that
 * appears with its first event misses that event.
 */
export function countFailedValidations(
  { meters }: Pick<MethodContext, 'meters'>,
  consolidation_type: ConsolidationType,
  candidates: number,
): void {
  meters.increment(disruptionMetrics.failedValidations, { consolidation_type }, candidates);
}

/** Observes how long a method takes to decide; a method that throws is not observed. */
export async function measureEvaluation<T>(
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
 * Builds a simulation of the cluster after all `decided` commands, with pods prepared as provisioning
 * prepares them. Methods then simulate the removal of nodes on it.
 */
export function* simulationSteps(
  context: MethodContext,
  snapshot: ClusterSnapshot,
  leaving: readonly Candidate[],
  decided: readonly Command[] = [],
): Steps<ClusterSimulation> {
  // Nodes of waiting commands come first, so they are filled last of all: pods placed there would move again
  // soon.
  const all = [...context.waiting.all.flatMap(({ command }) => command.candidates), ...leaving];
  const input = simulationInput(context, snapshot, all);
  yield;
  const simulation = yield* ClusterSimulation.of(...input);
  yield* anticipate(decided, simulation);
  return simulation;
}
