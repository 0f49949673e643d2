import { timestampMs } from '../../api/index.ts';
import { CandidateEvaluator } from '../../disruption/index.ts';
import {
  LabelKeySet,
  Requirements,
  requiredAlternatives,
  requirementText,
} from '../../requirements/index.ts';
import type { NodeView } from '../../scheduling/index.ts';
import { type ClusterPod, isDaemon, isMirror, isTerminal, type NodeState } from '../../state/index.ts';
import { formatTaint, untolerated } from '../../values/index.ts';
import { podName } from '../changes/pod-fields.ts';
import { nodesWithRoom } from '../checks/node-misses.ts';
import type { Explanation, Finding } from '../explanation.ts';
import { LabelSpace } from '../label-space.ts';
import { nodeBlockers, podBlockers } from '../nodes/blocker-findings.ts';
import type { ExplainedCluster } from '../situation.ts';
import { blocked, counted, fact, listed, met } from '../wording.ts';

/** Why a pod is on its node, and what it means for the disruption of that node. */
export function explainRunningPod(explained: ExplainedCluster, pod: ClusterPod): Explanation {
  const name = pod.spec.nodeName ?? '';
  const state = explained.cluster.nodeStates.find(({ node }) => node?.metadata.name === name);
  const id = `Pod ${pod.metadata.namespace}/${pod.metadata.name}`;
  if (isTerminal(pod) || state === undefined) {
    const why = isTerminal(pod)
      ? `has ended (${pod.status?.phase}) on node ${name}`
      : `is bound to node ${name}, which does not exist`;
    return { subject: podName(pod), summary: `${id} ${why}.`, sections: [], changes: [] };
  }
  const disruption = disruptionFindings(explained, pod, state);
  const isBlocking = disruption.some(({ verdict }) => verdict === 'blocked');
  return {
    subject: podName(pod),
    summary: `${id} is on node ${name} and ${isBlocking ? 'keeps it from being disrupted' : 'can be moved'}.`,
    sections: [
      { title: `Why it is on ${name}`, findings: placeFindings(explained, pod, state) },
      { title: 'Disruption', findings: disruption },
    ],
    changes: [],
  };
}

function placeFindings(explained: ExplainedCluster, pod: ClusterPod, state: NodeState): readonly Finding[] {
  if (isDaemon(pod)) return [fact('its DaemonSet runs one pod on every node that it selects')];
  if (isMirror(pod)) return [fact('it is a static pod, which the kubelet of the node runs by itself')];
  return [
    ...launchFindings(pod, state),
    ...labelFindings(explained, pod, state.view),
    ...taintFindings(pod, state.view),
    ...alternativeFindings(explained, pod, state.view),
  ];
}

/** A node that was created after the pod was created while the pod waited. */
function launchFindings({ metadata }: ClusterPod, { nodeClaim }: NodeState): readonly Finding[] {
  const created = timestampMs(metadata.creationTimestamp);
  const launched = timestampMs(nodeClaim?.metadata.creationTimestamp);
  if (created === undefined || launched === undefined || nodeClaim === undefined) return [];
  const { name, creationTimestamp } = nodeClaim.metadata;
  return launched >= created
    ? [fact(`NodeClaim ${name} was created while the pod waited, at ${creationTimestamp}`)]
    : [fact(`the node existed before the pod: NodeClaim ${name} was created at ${creationTimestamp}`)];
}

function labelFindings(
  { options }: ExplainedCluster,
  { spec }: ClusterPod,
  { labels }: NodeView,
): readonly Finding[] {
  const space = new LabelSpace(options);
  const own = Requirements.fromLabels(space.vocabulary, labels);
  const alternatives = requiredAlternatives(space.vocabulary, spec);
  const matching = alternatives.find((asked) => own.compatible(asked, LabelKeySet.empty));
  if (matching === undefined) return [blocked('its node no longer has the labels that the pod asks for')];
  return matching
    .byName()
    .map((asked) =>
      met(
        `the pod asks for ${requirementText(asked)}; the node has ${labels[asked.key.name] ?? 'no such label'}`,
      ),
    );
}

function taintFindings({ spec }: ClusterPod, { taints }: NodeView): readonly Finding[] {
  const left = untolerated(taints, spec.tolerations);
  const tolerated = taints.filter((taint) => !left.includes(taint));
  return [
    ...tolerated.map((taint) => met(`the pod tolerates the taint ${formatTaint(taint)}`)),
    ...left.map((taint) =>
      fact(`the node has the taint ${formatTaint(taint)}, which the pod does not tolerate`),
    ),
  ];
}

function alternativeFindings(
  explained: ExplainedCluster,
  pod: ClusterPod,
  own: NodeView,
): readonly Finding[] {
  const others = nodesWithRoom(explained, pod)
    .map(({ name }) => name)
    .filter((name) => name !== own.name);
  return others.length === 0
    ? [fact('no other node has the labels, taints and room for it now')]
    : [fact(`${counted(others.length, 'other node')} would have room for it now: ${listed(others)}`)];
}

function disruptionFindings(
  explained: ExplainedCluster,
  pod: ClusterPod,
  state: NodeState,
): readonly Finding[] {
  const { cluster } = explained;
  const evaluator = new CandidateEvaluator({ snapshot: cluster, queued: new Set() });
  const own = state.pods.find((each) => each.pod.metadata.uid === pod.metadata.uid);
  const blocking = own === undefined ? [] : podBlockers(evaluator, state, own);
  const budgets = cluster.budgets
    .protecting(pod)
    .map(({ metadata, status }) =>
      fact(
        `PodDisruptionBudget ${metadata.namespace}/${metadata.name} allows ${counted(status?.disruptionsAllowed ?? 0, 'disruption')} now`,
      ),
    );
  const { findings } = nodeBlockers(cluster, state);
  const others = findings.filter(({ text }) => !blocking.some((each) => each.text === text));
  return [
    ...(blocking.length > 0 ? blocking : [met('nothing about the pod keeps its node from being disrupted')]),
    ...budgets,
    ...others
      .slice(0, 3)
      .map(({ text, until }) => fact(`also on its node: ${text}`, until === undefined ? {} : { until })),
  ];
}
