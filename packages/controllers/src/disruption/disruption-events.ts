import { type DisruptionReason, type EventDefinition, events, type NodePool } from '@karpenter/core/api';
import {
  approvalText,
  type BlockedNode,
  type Candidate,
  type CandidateMessage,
  type Command,
  memberText,
  type RejectedCommand,
  savingsText,
  shortCommandText,
  type WeighedCommand,
} from '@karpenter/core/disruption';
import type { NodeState } from '@karpenter/core/state';
import type { ClusterEvent } from '@karpenter/kube/runtime';
import { nodeClaims, nodePools, stateSources } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';

type EventContext = Pick<ControllerContext, 'recorder'>;

/** Nodes that may not go, on whichever of Node and NodeClaim there is. */
export function publishBlocked({ recorder }: EventContext, blocked: readonly BlockedNode[]): void {
  for (const { state, blocker } of blocked) {
    if (blocker.message === undefined) continue;
    recorder.publish(...onBoth(state, { definition: events.disruptionBlocked, message: blocker.message }));
  }
}

/** Nodes whose pods would find no place. */
export function publishUnschedulable({ recorder }: EventContext, told: readonly CandidateMessage[]): void {
  for (const { candidate, message } of told)
    recorder.publish(...onBoth(candidate.state, { definition: events.disruptionBlocked, message }));
}

export function publishUnconsolidatable({ recorder }: EventContext, told: readonly CandidateMessage[]): void {
  for (const { candidate, message } of told)
    recorder.publish(...onBoth(candidate.state, { definition: events.unconsolidatable, message }));
}

export function publishPoolBlocked(
  { recorder }: EventContext,
  nodePool: NodePool,
  reason: DisruptionReason,
): void {
  recorder.publish({
    definition: events.nodePoolDisruptionBlocked,
    kind: nodePools,
    object: nodePool,
    message: `No allowed disruptions for disruption reason ${reason} due to blocking budget`,
    parts: { 'disruption-reason': reason },
  });
}

/** Before validation, and of replacements only: deletions are told when they happen. */
export function publishCandidates({ recorder }: EventContext, command: Command): void {
  if (command.replacements.length === 0) return;
  for (const candidate of command.candidates)
    recorder.publish(
      ...onBoth(candidate.state, {
        definition: events.consolidationCandidate,
        message: `Consolidation candidate: ${candidateText(command, candidate)}`,
        parts: { command: shortCommandText(command) },
      }),
    );
}

function candidateText(command: Command, candidate: Candidate): string {
  if (command.candidates.length > 1) return memberText(command, candidate);
  return `${shortCommandText(command)} ${savingsText(command)}`;
}

/** What pools of policy Balanced found worth it: on the node, or for several nodes on the pool. */
export function publishApproved({ recorder }: EventContext, { command, scores }: WeighedCommand): void {
  const definition = events.consolidationApproved;
  for (const score of scores.filter((each) => each.score !== undefined)) {
    const message = approvalText(score);
    const [candidate, another] = command.candidates;
    const own = command.candidates.find(({ nodePool }) => nodePool.metadata.name === score.nodePool);
    if (candidate !== undefined && another === undefined)
      recorder.publish(...onBoth(candidate.state, { definition, message }));
    else if (own !== undefined)
      recorder.publish({ definition, kind: nodePools, object: own.nodePool, message });
  }
}

/** Of single nodes: for moves of several nobody is told, as each of them may go in another way. */
export function publishRejected({ recorder }: EventContext, { command, reason }: RejectedCommand): void {
  const [candidate, another] = command.candidates;
  if (candidate === undefined || another !== undefined) return;
  const text = shortCommandText(command);
  recorder.publish(
    ...onBoth(candidate.state, {
      definition: events.consolidationRejected,
      message: `Consolidation rejected: ${text}, reason: ${reason} ${savingsText(command)}`,
      parts: { command: text, 'disruption-reason': reason },
    }),
  );
}

interface Saying {
  readonly definition: EventDefinition;
  readonly message: string;
  readonly parts?: ClusterEvent['parts'];
}

function onBoth(
  { node, nodeClaim }: NodeState,
  { definition, message, parts }: Saying,
): readonly ClusterEvent[] {
  const said = { definition, message, ...(parts !== undefined && { parts }) };
  return [
    ...(node === undefined ? [] : [{ ...said, kind: stateSources.Node, object: node }]),
    ...(nodeClaim === undefined ? [] : [{ ...said, kind: nodeClaims, object: nodeClaim }]),
  ];
}
