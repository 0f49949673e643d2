// Every event of the disruption loop, built in one place so that texts and deduplication keys can be compared
// with Karpenter's at a glance. `parts` adds to the deduplication key: without it two events with the same
// reason on the same object within the deduplication window would be one.

import { type DisruptionReason, type EventDefinition, events, type NodePool } from '@karpenter/core/api';
import { givenUpDecision } from '@karpenter/core/decisions';
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
import { mapInSlices } from '@karpenter/kube/yielding';
import { nodeClaims, nodePools, stateSources } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';

type EventContext = Pick<ControllerContext, 'recorder'>;
/** For events on many nodes. The recorder drops most as duplicates, but each lookup takes time, so they yield. */
type SlicedEventContext = Pick<ControllerContext, 'recorder' | 'clock'>;
type DecisionContext = Pick<ControllerContext, 'decisions'>;

/**
 * Publishes why nodes are no candidates. Blockers without a message, such as a queued command, publish
 * nothing.
 */
export async function publishBlocked(
  { recorder, clock }: SlicedEventContext,
  blocked: readonly BlockedNode[],
): Promise<void> {
  const publish = ({ state, blocker: { message } }: BlockedNode) => {
    if (message === undefined) return;
    recorder.publish(...onNodeAndClaim(state, { definition: events.disruptionBlocked, message }));
  };
  await mapInSlices(blocked, publish, clock);
}

/** Publishes that a drifted node stays because its pods would not schedule elsewhere. */
export function publishUnschedulable({ recorder }: EventContext, blocked: readonly CandidateMessage[]): void {
  for (const { candidate, message } of blocked)
    recorder.publish(...onNodeAndClaim(candidate.state, { definition: events.disruptionBlocked, message }));
}

/** Publishes why candidates cannot be consolidated, such as a NodePool whose consolidation is disabled. */
export async function publishUnconsolidatable(
  { recorder, clock }: SlicedEventContext,
  unconsolidatable: readonly CandidateMessage[],
): Promise<void> {
  const publish = ({ candidate, message }: CandidateMessage) =>
    recorder.publish(...onNodeAndClaim(candidate.state, { definition: events.unconsolidatable, message }));
  await mapInSlices(unconsolidatable, publish, clock);
}

/** Publishes on the NodePool that its budgets allow no disruption for this reason at the moment. */
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

/**
 * Publishes replacements before their validation. Deletions are published when the queue carries them out.
 */
export function publishCandidates({ recorder }: EventContext, command: Command): void {
  if (command.replacements.length === 0) return;
  for (const candidate of command.candidates)
    recorder.publish(
      ...onNodeAndClaim(candidate.state, {
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

/**
 * Publishes moves that policy Balanced approved: on the node, or on the NodePool when the move has several
 * nodes.
 */
export function publishApproved({ recorder }: EventContext, { command, scores }: WeighedCommand): void {
  const definition = events.consolidationApproved;
  for (const score of scores.filter((each) => each.score !== undefined)) {
    const message = approvalText(score);
    const [candidate, another] = command.candidates;
    const ofPool = command.candidates.find(({ nodePool }) => nodePool.metadata.name === score.nodePool);
    if (candidate !== undefined && another === undefined)
      recorder.publish(...onNodeAndClaim(candidate.state, { definition, message }));
    else if (ofPool !== undefined)
      recorder.publish({ definition, kind: nodePools, object: ofPool.nodePool, message });
  }
}

/**
 * Publishes a failed validation of a single-node command. Multi-node commands publish nothing, as in
 * Karpenter: each of their nodes may still be consolidated by another command.
 */
export function publishRejected({ recorder }: EventContext, { command, reason }: RejectedCommand): void {
  const [candidate, another] = command.candidates;
  if (candidate === undefined || another !== undefined) return;
  const text = shortCommandText(command);
  recorder.publish(
    ...onNodeAndClaim(candidate.state, {
      definition: events.consolidationRejected,
      message: `Consolidation rejected: ${text}, reason: ${reason} ${savingsText(command)}`,
      parts: { command: text, 'disruption-reason': reason },
    }),
  );
}

/** Records a failed validation of a multi-node command, for which no event is published. */
export function recordRejected({ decisions }: DecisionContext, { command, reason }: RejectedCommand): void {
  if (decisions.isOn && command.candidates.length > 1) decisions.record(givenUpDecision(command, reason));
}

interface EventContent {
  readonly definition: EventDefinition;
  readonly message: string;
  readonly parts?: ClusterEvent['parts'];
}

/** The event on the Node and on its NodeClaim, or on whichever of the two exists. */
function onNodeAndClaim(
  { node, nodeClaim }: NodeState,
  { definition, message, parts }: EventContent,
): readonly ClusterEvent[] {
  const content = { definition, message, ...(parts !== undefined && { parts }) };
  return [
    ...(node === undefined ? [] : [{ ...content, kind: stateSources.Node, object: node }]),
    ...(nodeClaim === undefined ? [] : [{ ...content, kind: nodeClaims, object: nodeClaim }]),
  ];
}
