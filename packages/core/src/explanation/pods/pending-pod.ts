import { isConditionTrue, nodeClaimConditions, timestampMs } from '../../api/index.ts';
import { passedOverCause } from '../../pending-pods/index.ts';
import type { ClusterPod, ClusterSnapshot } from '../../state/index.ts';
import { candidateChanges } from '../changes/candidate-changes.ts';
import { type FoundChanges, findChanges } from '../changes/change-search.ts';
import { podName } from '../changes/pod-fields.ts';
import { ChangeTrial, type PodOutcome } from '../changes/trial.ts';
import { topologyText } from '../checks/check-findings.ts';
import { nodeMisses } from '../checks/node-misses.ts';
import { poolMisses } from '../checks/pool-misses.ts';
import type { Explanation, ExplanationSection, Finding } from '../explanation.ts';
import type { ExplainedCluster } from '../situation.ts';
import { blocked, counted, dollars, fact, listed } from '../wording.ts';
import { ownerSection } from './pod-owner.ts';

/** Why a pod without a node has none, and what would change that. */
export function explainPendingPod(
  explained: ExplainedCluster,
  pod: ClusterPod,
  isOverdue: () => boolean,
): Explanation {
  const waiting = waitingText(explained, pod);
  if (waiting !== undefined) return plainly(pod, waiting, []);
  const trial = new ChangeTrial(explained, pod);
  const outcome = trial.outcome();
  if (outcome.kind === 'new' || outcome.kind === 'existing')
    return plainly(pod, placedText(explained, outcome), schedulableSections(outcome));
  if (outcome.kind === 'deferred')
    return plainly(pod, `${idOf(pod)} waits for a capacity reservation whose instances other pods take.`, []);
  const candidates = candidateChanges(explained, pod);
  const found = findChanges(trial, candidates, isOverdue);
  const isHopeless = found.changes.length === 0 && found.isComplete;
  return {
    subject: podName(pod),
    summary: rejectedText(pod, outcome, found),
    sections: [
      ...rejectedSections(explained, pod, outcome),
      ...(isHopeless ? remainderSection(trial.outcome(candidates)) : ownerSection(pod)),
    ],
    changes: found.changes,
  };
}

/** What is left when every change is made: rules of other pods, or a lack of capacity. */
function remainderSection(outcome: PodOutcome): readonly ExplanationSection[] {
  return [{ title: 'With every change that was tried', findings: [blocked(remainderText(outcome))] }];
}

function remainderText(outcome: PodOutcome): string {
  if (outcome.kind === 'deferred')
    return 'it waits for a capacity reservation whose instances other pods take';
  if (outcome.kind === 'ignored') return `it is still ignored: ${outcome.message}`;
  if (outcome.kind !== 'rejected') return 'changes get in the way of each other';
  const messages = outcome.rejection.reasons.map(
    ({ nodePool = '', message }) => `NodePool ${nodePool}: ${topologyText(message)}`,
  );
  return messages.length > 0 ? messages.join('; ') : outcome.rejection.message;
}

function plainly(pod: ClusterPod, summary: string, sections: readonly ExplanationSection[]): Explanation {
  return { subject: podName(pod), summary, sections, changes: [] };
}

function idOf({ metadata }: ClusterPod): string {
  return `Pod ${metadata.namespace}/${metadata.name}`;
}

/** What the pod waits for that is no rejection; undefined if a plan decides. */
function waitingText({ cluster }: ExplainedCluster, pod: ClusterPod): string | undefined {
  const id = idOf(pod);
  const held = cluster.heldPods.find((each) => each.pod.metadata.uid === pod.metadata.uid);
  if (held !== undefined) return `${id} waits for NodeClaim ${held.nodeClaim}, ${heldText(cluster, held)}.`;
  const nominated = pod.status?.nominatedNodeName ?? '';
  if (nominated !== '')
    return `${id} waits for node ${nominated}, for which kube-scheduler nominated it after evicting other pods.`;
  const cause = passedOverCause(pod);
  if (cause === 'daemon')
    return `${id} belongs to a DaemonSet, for which Karpenter creates no node; it waits for its node.`;
  if (cause === 'not-unschedulable') return `${id} ${unscheduledText(pod)}.`;
  return undefined;
}

function unscheduledText({ status }: ClusterPod): string {
  const gate = (status?.conditions ?? []).find(({ type }) => type === 'PodScheduled')?.reason;
  return gate === 'SchedulingGated'
    ? 'has scheduling gates; until they are removed nobody looks for a node'
    : 'has not been tried by kube-scheduler yet; Karpenter waits for its verdict';
}

type Held = ClusterSnapshot['heldPods'][number];

function heldText({ nodeStates, launching }: ClusterSnapshot, { nodeClaim, cause }: Held): string {
  const claims = [...nodeStates.map((state) => state.nodeClaim), ...launching.map((each) => each.nodeClaim)];
  const since = claims.find((claim) => claim?.metadata.name === nodeClaim)?.metadata.creationTimestamp;
  const launched = since === undefined ? 'which is launching' : `which is launching since ${since}`;
  return cause === 'topology'
    ? `${launched}: where the pod may go depends on where the pods of that node will be`
    : `${launched}${cause === 'possibly-launching' ? ' and may be for it' : ''}`;
}

function placedText(
  { cluster }: ExplainedCluster,
  outcome: Extract<PodOutcome, { readonly kind: 'new' | 'existing' }>,
): string {
  if (outcome.kind === 'new') {
    const { nodePool, choice } = outcome.node;
    const { instanceType, zone, capacityType, price } = choice.offering;
    const place = [instanceType, capacityType, zone].filter((part) => part !== undefined).join(' ');
    return `The next plan launches a node of NodePool ${nodePool} for it: ${place} at ${dollars(price)}.`;
  }
  const state = cluster.nodeStates.find(({ view }) => view.name === outcome.node);
  if (state === undefined || state.initialized)
    return `It fits on node ${outcome.node}, where kube-scheduler is expected to bind it.`;
  const { name = outcome.node } = state.nodeClaim?.metadata ?? {};
  return `It waits for the node of NodeClaim ${name}, which ${progressText(state)}.`;
}

function progressText({ nodeClaim }: ClusterSnapshot['nodeStates'][number]): string {
  const conditions = nodeClaim?.status?.conditions ?? [];
  const step = isConditionTrue({ conditions }, nodeClaimConditions.registered)
    ? 'has registered and is not initialized yet'
    : 'is launched and has not registered yet';
  const since = timestampMs(nodeClaim?.metadata.creationTimestamp);
  return since === undefined ? step : `${step}, created ${nodeClaim?.metadata.creationTimestamp}`;
}

function schedulableSections(outcome: PodOutcome): readonly ExplanationSection[] {
  if (outcome.kind !== 'new') return [];
  const { node } = outcome;
  const { alternatives, narrowings } = node.choice;
  const findings: Finding[] = [
    fact(`${counted(node.instanceTypes.length, 'instance type')} would do: ${listed(node.instanceTypes)}`),
    ...(node.pods.length > 1
      ? [fact(`it shares the node with ${counted(node.pods.length - 1, 'other pod')}`)]
      : []),
    ...alternatives
      .slice(0, 2)
      .map(({ instanceType, capacityType = '', price }) =>
        fact(`next: ${instanceType} ${capacityType} at ${dollars(price)}`),
      ),
    ...narrowings
      .filter(({ by }) => by.some((source) => source !== 'nodepool'))
      .map(({ requirement, by }) => fact(`${requirement}, because of ${by.join(', ')}`)),
  ];
  return [{ title: 'Planned node', findings }];
}

function rejectedText(pod: ClusterPod, outcome: PodOutcome, { changes, isComplete }: FoundChanges): string {
  const id = idOf(pod);
  const opening =
    outcome.kind === 'ignored'
      ? `${id} is ignored: ${outcome.message}`
      : `${id} is pending: no node and no NodePool can take it`;
  if (changes.length > 0)
    return isComplete ? `${opening}.` : `${opening}; the search was cut short, so a smaller change may do.`;
  const end = isComplete
    ? 'no change of the pod or of the NodePools that was tried would help'
    : 'the search for a change that helps was cut short';
  return `${opening}; ${end}.`;
}

function rejectedSections(
  explained: ExplainedCluster,
  pod: ClusterPod,
  outcome: PodOutcome,
): readonly ExplanationSection[] {
  const rejection = outcome.kind === 'rejected' ? outcome.rejection : undefined;
  const misses = poolMisses(explained, pod, rejection);
  const pools = misses.map(({ pool, findings }) =>
    findings.length > 0
      ? blocked(`NodePool ${pool.metadata.name}`, { details: findings })
      : fact(`NodePool ${pool.metadata.name} could take a pod like it`),
  );
  return [
    {
      title: 'NodePools, nearest miss first',
      findings: pools.length > 0 ? pools : [blocked('there is no NodePool that creates nodes for pods')],
    },
    { title: 'Nodes', findings: nodeMisses(explained, pod) },
  ];
}
