import {
  type DisruptionReason,
  disruptionMetrics,
  type NodePool,
  nodePoolMetrics,
} from '@karpenter/core/api';
import {
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
import { type CommandQueue, startCommand } from '../disruption-queue/index.ts';
import { planOptions } from '../planning/index.ts';
import { slicedSteps } from './sliced-steps.ts';
import { tellBlocked, tellPoolBlocked } from './told.ts';

export interface MethodContext extends ControllerContext {
  readonly queue: CommandQueue;
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
  /** Whether it did anything: then the round is over, and the next begins at once. */
  run(signal: AbortSignal): Promise<boolean>;
}

/** Candidates and budgets as they are now; who may not go is told so. */
export async function beginRound(
  context: MethodContext,
  method: Pick<Method, 'reason'>,
  disruptionClass: DisruptionClass,
  signal: AbortSignal,
): Promise<Round | undefined> {
  const snapshot = await context.planning.snapshot();
  const candidateContext = { snapshot, queued: context.queue.nodes };
  const found = await slicedSteps(candidateSteps(candidateContext, disruptionClass), { ...context, signal });
  if (found === undefined) return undefined;
  tellBlocked(
    context,
    found.blocked.filter(({ state }) => isOurs(context, state)),
  );
  return {
    ...candidateContext,
    candidates: found.candidates.filter(({ state }) => isOurs(context, state)),
    budgets: reportedBudgets(context, snapshot, method.reason),
  };
}

/** Nodes of other clouds are none of our business. */
export function isOurs({ cloud }: MethodContext, { nodeClaim }: NodeState): boolean {
  return (
    nodeClaim !== undefined && nodeClassKindOf(nodeClaim.spec.nodeClassRef, cloud.nodeClasses) !== undefined
  );
}

function reportedBudgets(
  context: MethodContext,
  snapshot: ClusterSnapshot,
  reason: DisruptionReason,
): ReadonlyMap<string, PoolBudget> {
  const budgets = poolBudgets(snapshot, reason);
  for (const [nodepool, { nodePool, total, allowed, consuming, isUnreadable }] of budgets) {
    if (isUnreadable)
      context.log.error('detected disruption budget errors', {
        NodePool: { name: nodepool },
        error:
          'a schedule or duration of a budget cannot be read; no node of the pool is disrupted until it is mended',
      });
    context.meters.set(nodePoolMetrics.allowedDisruptions, { nodepool, reason }, allowed);
    context.meters.set(nodePoolMetrics.nodesConsumingBudgets, { nodepool, reason }, consuming);
    if (allowed === 0 && total > 0) tellPoolBlocked(context, nodePool, reason);
  }
  return budgets;
}

/** The number of nodes that could be disrupted for a reason, whatever budgets say. */
export function reportEligible({ meters }: MethodContext, reason: DisruptionReason, nodes: number): void {
  meters.set(disruptionMetrics.eligibleNodes, { reason: reason.toLowerCase() }, nodes);
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
 * The cluster to be asked what it would be without nodes; pods look as provisioning sees them. Moved pods go to the
 * last ones of `leaving` only if there is no room elsewhere: nodes that receive pods cannot go themselves.
 */
export function simulationSteps(
  context: MethodContext,
  snapshot: ClusterSnapshot,
  leaving: readonly Candidate[] = [],
): Generator<void, ClusterSimulation, PlanSignal> {
  const { planning } = context;
  const surroundings = { ...planning.surroundings(), storage: snapshot.storage };
  const managed = snapshot.nodePools.filter((nodePool: NodePool) => surroundings.isManaged(nodePool));
  const options: SimulationOptions = {
    plan: planOptions(context, 'fallback'),
    waiting: planning.input(snapshot).snapshot.pods,
    withSpread: (pods) =>
      surroundings.defaultSpread.length === 0
        ? pods
        : preparedPods({ pending: [], moving: pods }, surroundings).pods,
    filledLast: leaving.toReversed().map(({ name }) => name),
  };
  return ClusterSimulation.of({ ...snapshot, nodePools: managed }, options);
}

/** Commands that are begun at the same time; each takes a handful of requests. */
const mostAtOnce = 10;

/** Begins commands; one that fails does not keep the others back. Whether there was any to begin. */
export async function startAll(
  context: MethodContext,
  commands: readonly Command[],
  snapshot: ClusterSnapshot,
): Promise<boolean> {
  const failures: unknown[] = [];
  let isBegun = false;
  for (let first = 0; first < commands.length; first += mostAtOnce) {
    const begun = ofStayingNodes(context, commands.slice(first, first + mostAtOnce)).map((command) =>
      startCommand(context, command, { queue: context.queue, snapshot }),
    );
    isBegun ||= begun.length > 0;
    for (const outcome of await Promise.allSettled(begun))
      if (outcome.status === 'rejected') failures.push(outcome.reason);
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, failures.map(messageOf).join('; '));
  return isBegun;
}

/**
 * While commands were looked for, somebody else may have begun to take one of their nodes away. Its pods are planned
 * for already, and a replacement would be one node too many.
 */
function ofStayingNodes({ cluster }: MethodContext, commands: readonly Command[]): readonly Command[] {
  const staying = new Set(
    cluster
      .snapshot()
      .nodeStates.filter(
        ({ node, markedForDeletion }) => !markedForDeletion && node?.metadata.deletionTimestamp === undefined,
      )
      .map(({ id }) => id),
  );
  return commands.filter(({ candidates }) => candidates.every(({ id }) => staying.has(id)));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
