import {
  controllerNames,
  disruptionMetrics,
  disruptionReasons,
  disruptionTuning,
  events,
  isConditionTrue,
  metricLabelValue,
  type NodeClaim,
  nodeClaimConditions,
  nodeClaimMetrics,
} from '@karpenter/core/api';
import { type Candidate, type Command, decisionOf } from '@karpenter/core/disruption';
import { CodedError } from '@karpenter/core/errors';
import { disruptionLabels } from '@karpenter/core/lifecycle';
import { listedNames } from '@karpenter/core/provisioning';
import { isNotFound } from '@karpenter/kube/client';
import type { Controller, ReconcileResult, Runnable } from '@karpenter/kube/runtime';
import { nodeClaims, stateSources } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import type { CommandQueue, ReplacementClaim, RunningCommand } from './command-queue.ts';
import { unmarkDisrupted } from './node-marks.ts';

export type QueueContext = Pick<
  ControllerContext,
  'client' | 'caches' | 'cluster' | 'recorder' | 'meters' | 'log' | 'clock'
>;

/**
 * The controller `disruption.queue`: waits until all replacements of a command are initialized, then deletes
 * its candidates. Commands run independently of each other; one that is late or loses a replacement is rolled
 * back.
 */
export function disruptionQueue(context: QueueContext, queue: CommandQueue): Runnable {
  return { controller: new QueueController(context, queue), sources: [queue.source] };
}

const maxConcurrentCommands = 100;

class QueueController implements Controller {
  readonly name = controllerNames.disruptionQueue;
  readonly concurrency = maxConcurrentCommands;
  readonly #context: QueueContext;
  readonly #queue: CommandQueue;

  constructor(context: QueueContext, queue: CommandQueue) {
    this.#context = context;
    this.#queue = queue;
  }

  async reconcile(id: string): Promise<ReconcileResult | undefined> {
    const running = this.#queue.get(id);
    if (running === undefined) return undefined;
    const outcome = await this.#attempt(running);
    // As in Karpenter the timeout is checked after the attempt, and fails even a command whose deletions just
    // succeeded.
    const isOverdue = this.#queue.isOverdue(running, this.#context.clock.now());
    if (outcome.error === undefined && outcome.isDone && !isOverdue) {
      this.#context.log.debug('command succeeded', { 'command-id': id });
      this.#queue.remove(id);
      return undefined;
    }
    if (!isOverdue && outcome.isRecoverable) return { requeueAfter: disruptionTuning.queuePoll };
    await this.#rollBack(running, outcome.error ?? commandOverdue(running));
    return undefined;
  }

  /**
   * One reconcile of a command. Failed deletions are recoverable: the next attempt skips what is already
   * deleted.
   */
  async #attempt(running: RunningCommand): Promise<Attempt> {
    const lost = running.replacements.find((replacement) => this.#isLost(replacement));
    if (lost !== undefined) return { isDone: false, isRecoverable: false, error: replacementLost(lost) };
    for (const replacement of running.replacements) this.#updateReplacement(running.command, replacement);
    // All of them before the first deletion: kube-scheduler decides which pods go to which replacement.
    if (running.replacements.some(({ isInitialized }) => !isInitialized))
      return { isDone: false, isRecoverable: true };
    try {
      for (const candidate of running.command.candidates) await this.#delete(running.command, candidate);
      return { isDone: true, isRecoverable: true };
    } catch (error) {
      return { isDone: false, isRecoverable: true, error };
    }
  }

  /**
   * Whether a replacement is gone for good. The watch cache may lag behind the creation, so a claim that is
   * missing there but still in the cluster state is waited for.
   */
  #isLost({ name, isInitialized }: ReplacementClaim): boolean {
    if (isInitialized || this.#claim(name) !== undefined) return false;
    const { nodeStates, launching } = this.#context.cluster.snapshot();
    const isKnown = ({ nodeClaim }: { readonly nodeClaim: NodeClaim | undefined }) =>
      nodeClaim?.metadata.name === name;
    return !nodeStates.some(isKnown) && !launching.some(isKnown);
  }

  /** Publishes the progress of a replacement and records once that it is initialized. */
  #updateReplacement({ reason }: Command, replacement: ReplacementClaim): void {
    const claim = this.#claim(replacement.name);
    if (replacement.isInitialized || claim === undefined) return;
    const { recorder } = this.#context;
    recorder.publish({
      definition: events.disruptionLaunching,
      kind: nodeClaims,
      object: claim,
      message: `Launching NodeClaim: ${reason}`,
      parts: { 'disruption-reason': reason },
    });
    replacement.isInitialized = isInitialized(claim);
    if (replacement.isInitialized) return;
    recorder.publish({
      definition: events.disruptionWaitingReadiness,
      kind: nodeClaims,
      object: claim,
      message: 'Waiting on readiness to continue disruption',
    });
  }

  /**
   * Deletes the NodeClaim of a candidate, with a precondition on its uid: another claim may have taken the
   * name.
   */
  async #delete({ reason, candidates: _, ...command }: Command, candidate: Candidate): Promise<void> {
    const { client, meters } = this.#context;
    const { nodeClaim, nodePool } = candidate;
    const { uid } = nodeClaim.metadata;
    const claim = this.#claim(nodeClaim.metadata.name);
    if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return;
    this.#publishTerminating(candidate, reason);
    try {
      const preconditions = uid === undefined ? {} : { preconditions: { uid } };
      await client.delete(nodeClaims, { name: nodeClaim.metadata.name }, preconditions);
    } catch (error) {
      if (isNotFound(error)) return;
      throw error;
    }
    const isConsolidation = reason !== disruptionReasons.drifted && command.consolidationType !== '';
    const labels = {
      ...disruptionLabels(nodeClaim, reason.toLowerCase()),
      consolidation_policy: isConsolidation
        ? metricLabelValue(nodePool.spec.disruption.consolidationPolicy ?? '')
        : '',
    };
    meters.increment(nodeClaimMetrics.disrupted, labels);
    const pods = candidate.reschedulable.length;
    if (pods > 0) meters.increment(nodeClaimMetrics.podsDisruptionInitiated, labels, pods);
  }

  #publishTerminating({ node, nodeClaim }: Candidate, reason: string): void {
    const parts = { 'disruption-reason': reason };
    const definition = events.disruptionTerminating;
    this.#context.recorder.publish(
      { definition, kind: stateSources.Node, object: node, message: `Disrupting Node: ${reason}`, parts },
      { definition, kind: nodeClaims, object: nodeClaim, message: `Disrupting NodeClaim: ${reason}`, parts },
    );
  }

  /**
   * Gives up a command: removes taints and conditions and unmarks its nodes. Launched replacements stay, as
   * in Karpenter; consolidation removes them later if no pod needs them.
   */
  async #rollBack({ id, command, replacements }: RunningCommand, error: unknown): Promise<void> {
    const { cluster, log, meters } = this.#context;
    const decision = decisionOf(command);
    log.error('failed terminating nodes while executing a disruption command', {
      'command-id': id,
      error: error instanceof Error ? error.message : String(error),
    });
    const missing = replacements.filter((replacement) => !replacement.isInitialized).length;
    // Karpenter fills consolidation_type of this metric with the decision.
    const labels = { decision, reason: command.reason.toLowerCase(), consolidation_type: decision };
    meters.increment(disruptionMetrics.queueFailures, labels, missing);
    // Before the writes: what a failed or lost write leaves behind is removed by the disruption loop.
    this.#queue.abandon(command.candidates);
    try {
      for (const candidate of command.candidates) await this.#unmark(candidate);
    } finally {
      // Taints that could not be removed are stale from here on: the disruption loop removes them.
      // Nodes whose NodeClaim is deleted already still count as marked: the state derives that from the
      // objects.
      cluster.learn({ type: 'unmarkedForDeletion', nodes: command.candidates.map((each) => each.id) });
      this.#queue.remove(id);
    }
  }

  async #unmark({ id, name, nodeClaim }: Candidate): Promise<void> {
    await unmarkDisrupted(this.#context, { node: name, nodeClaim: nodeClaim.metadata.name });
    this.#queue.release(id);
  }

  #claim(name: string): NodeClaim | undefined {
    return this.#context.caches.of(nodeClaims).get({ name });
  }
}

interface Attempt {
  readonly isDone: boolean;
  /** Whether the next attempt may succeed; if not, the command is rolled back at once. */
  readonly isRecoverable: boolean;
  readonly error?: unknown;
}

function commandOverdue({ command }: RunningCommand): CodedError {
  const nodes = listedNames(command.candidates.map(({ name }) => name));
  return new CodedError(
    'command-overdue',
    `disrupting ${nodes} took too long and is given up; the nodes stay`,
  );
}

function replacementLost({ name }: ReplacementClaim): CodedError {
  return new CodedError(
    'replacement-lost',
    `nodeclaim ${name} is gone before it was ready; the nodes it was to replace stay`,
  );
}

function isInitialized({ status }: NodeClaim): boolean {
  return isConditionTrue({ conditions: status?.conditions ?? [] }, nodeClaimConditions.initialized);
}
