import { type Candidate, type Command, poolsOf } from '../disruption/index.ts';
import type { DisruptedNodeFacts } from './decision.ts';
import { decisionBounds, shortened, shortText } from './decision-bounds.ts';
import type { DecisionDraft } from './decision-recorder.ts';
import { type PodNames, plannedNodeFacts } from './planned-node-facts.ts';
import { commandRecord } from './replay-record.ts';
import { counted, firstNames, hourlyText, joined } from './words.ts';

/** A command that begins. `claims` are the NodeClaims of its replacements, in their order. */
export function disruptionDecision(
  command: Command,
  claims: readonly string[],
): DecisionDraft & { readonly kind: 'disruption' } {
  const { reason, consolidationType, candidates, savings } = command;
  const nodes = shortened(candidates, decisionBounds.disruptedNodes);
  const replacements = shortened(commandRecord(command).replacements, decisionBounds.newNodes);
  const names = podNamesOf(command);
  return {
    kind: 'disruption',
    summary: disruptionSummary(command),
    reason: reason.toLowerCase(),
    ...(consolidationType !== '' && { consolidationType }),
    nodes: nodes.items.map(disruptedNodeFacts),
    ...(nodes.count !== undefined && { nodeCount: nodes.count }),
    replacements: replacements.items.map((node, index) => {
      const nodeClaim = claims[index];
      return plannedNodeFacts(node, nodeClaim === undefined ? {} : { nodeClaim }, names);
    }),
    ...(replacements.count !== undefined && { replacementCount: replacements.count }),
    movedPods: movedPods(command),
    savings,
  };
}

function disruptedNodeFacts(candidate: Candidate): DisruptedNodeFacts {
  const { name, nodeClaim, nodePool, price, reschedulable, state } = candidate;
  const { instanceType, zone, capacityType } = state.offering;
  return {
    node: name,
    nodeClaim: nodeClaim.metadata.name,
    nodePool: nodePool.metadata.name,
    ...(instanceType !== undefined && { instanceType }),
    ...(zone !== undefined && { zone }),
    ...(capacityType !== undefined && { capacityType }),
    hourly: price,
    pods: reschedulable.length,
  };
}

function podNamesOf({ candidates }: Command): PodNames {
  const pods = candidates.flatMap(({ reschedulable }) => reschedulable.map(({ pod }) => pod));
  return new Map(pods.map((pod) => [pod.metadata.uid, pod]));
}

function movedPods({ candidates }: Command): number {
  return candidates.reduce((sum, { reschedulable }) => sum + reschedulable.length, 0);
}

/** `underutilized: replaces node-a and node-b by 1 node for 12 pods, saves $0.120/h`. */
function disruptionSummary(command: Command): string {
  const { reason, candidates, replacements, savings } = command;
  const nodes = firstNames(candidates.map(({ name }) => name));
  const isReplaced = replacements.length > 0;
  const by = isReplaced ? ` by ${counted(replacements.length, 'node')}` : '';
  const moved = movedPods(command);
  const money = savings < 0 ? `costs ${hourlyText(-savings)} more` : `saves ${hourlyText(savings)}`;
  const what = `${isReplaced ? 'replaces' : 'deletes'} ${nodes}${by}`;
  return shortText(
    `${reason.toLowerCase()}: ${[what, ...(moved > 0 ? [`moves ${counted(moved, 'pod')}`] : []), money].join(', ')}`,
  );
}

/** A command of several nodes that was given up, on which Karpenter publishes no event. */
export function givenUpDecision(
  command: Command,
  reason: string,
): DecisionDraft & { readonly kind: 'refusal' } {
  const nodes = firstNames(command.candidates.map(({ name }) => name));
  const pools = joined([...new Set(poolsOf(command))].sort());
  const message = shortText(
    `Command for ${nodes} of NodePool ${pools} is no longer valid, reason: ${reason}, savings: ${hourlyText(command.savings)}`,
  );
  const [first] = command.candidates;
  return {
    kind: 'refusal',
    summary: message,
    object: { kind: 'Node', name: first?.name ?? '' },
    reason: 'ConsolidationRejected',
    message,
  };
}
