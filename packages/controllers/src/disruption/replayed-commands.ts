import { type DisruptionReplay, disruptionMethods, type WaitingRecord } from '@karpenter/core/decisions';
import {
  type Candidate,
  CandidateEvaluator,
  type Command,
  type NewNode,
  PodMoves,
} from '@karpenter/core/disruption';
import { CodedError } from '@karpenter/core/errors';
import type { Log, Meters } from '@karpenter/core/ports';
import type { ClusterSnapshot } from '@karpenter/core/state';
import type { EventRecorder } from '@karpenter/kube/runtime';
import { BudgetGauges } from './budget-gauges.ts';
import type { MethodContext } from './method.ts';
import { newMethod } from './methods.ts';
import { Pass } from './pass.ts';
import { WaitingCommands } from './waiting-commands.ts';

/** A saved cluster that a method runs on again. */
export interface ReplayedCluster
  extends Pick<MethodContext, 'cluster' | 'planning' | 'cloud' | 'settings' | 'vocabulary' | 'clock'> {
  readonly snapshot: ClusterSnapshot;
}

/**
 * Runs a method of the disruption loop again with the same inputs, and returns the commands that it would start.
 * Nothing is started, published or counted.
 */
export async function replayedCommands(
  { snapshot, ...replayed }: ReplayedCluster,
  replay: Omit<DisruptionReplay, 'command'>,
): Promise<readonly Command[]> {
  if (!disruptionMethods.includes(replay.method))
    throw new CodedError(
      'invalid-object',
      `replay.method: there is no method ${JSON.stringify(replay.method)}`,
    );
  const found: Command[] = [];
  const done = new AbortController();
  const context: MethodContext = {
    ...replayed,
    ...silent,
    // Empty: moves of pods are not saved, and a recorded command has already passed the limit of moves.
    podMoves: new PodMoves(),
    budgetGauges: new BudgetGauges(silent.meters),
    queue: { nodes: new Set(replay.queued) },
    waiting: restoredCommands(replay.waiting, snapshot),
    start: async (commands) => {
      found.push(...commands);
      // The recorded command has started by now; a further search would only take time.
      if (found.length > 0) done.abort();
    },
  };
  await newMethod(replay.method, context).run(new Pass(context, snapshot), done.signal);
  return found;
}

/** Leaves out commands with a node that is gone or blocked, since they could not start. */
function restoredCommands(waiting: readonly WaitingRecord[], snapshot: ClusterSnapshot): WaitingCommands {
  const evaluator = new CandidateEvaluator({ snapshot, queued: new Set() });
  const restored = waiting.flatMap(({ command, ...times }) => {
    const candidates = command.nodes.flatMap(({ id }) => evaluator.unblocked(id) ?? []);
    const isComplete = candidates.length === command.nodes.length;
    return isComplete ? [{ ...times, command: restoredCommand(command, candidates) }] : [];
  });
  return new WaitingCommands(restored);
}

function restoredCommand(
  { nodes: _, replacements, ...command }: WaitingRecord['command'],
  candidates: readonly Candidate[],
): Command {
  // Records lack the instance types of replacements and the destinations of pods; no method reads either of a waiting
  // command.
  const newNodes = replacements as readonly NewNode[];
  return { ...command, candidates, replacements: newNodes, destinations: [] };
}

const log: Log = { debug: () => undefined, info: () => undefined, error: () => undefined };
const recorder: EventRecorder = { publish: () => undefined, flush: async () => undefined };
const meters: Meters = {
  increment: () => undefined,
  observe: () => undefined,
  set: () => undefined,
  remove: () => undefined,
  seriesOf: () => ({ set: () => undefined, end: () => undefined }),
};
const decisions = { isOn: false, keepsClusters: false, record: () => '', repeat: () => false };
const silent = { log, recorder, meters, decisions };
