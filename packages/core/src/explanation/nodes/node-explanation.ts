import {
  annotationKeys,
  disruptionReasons,
  getCondition,
  nodeClaimConditions,
  timestampMs,
} from '../../api/index.ts';
import { CandidateEvaluator } from '../../disruption/index.ts';
import { expiryOf } from '../../lifecycle/index.ts';
import type { NodeState } from '../../state/index.ts';
import type { Explanation, ExplanationSection, Finding } from '../explanation.ts';
import { budgetFindings } from '../pools/budget-findings.ts';
import type { ExplainedCluster } from '../situation.ts';
import { blocked, counted, dollars, fact, met } from '../wording.ts';
import { nodeBlockers } from './blocker-findings.ts';
import { consolidationFindings } from './consolidation-findings.ts';

/** How far a node has come, what keeps it from being disrupted, and what consolidation makes of it. */
export function explainNode(
  explained: ExplainedCluster,
  state: NodeState,
  subject: Explanation['subject'],
): Explanation {
  const { findings: blockers, candidate } = nodeBlockers(explained.cluster, state);
  const consolidation = candidate === undefined ? blockers : consolidationFindings(explained, candidate);
  return {
    subject,
    summary: summaryOf(subject, consolidation),
    sections: [
      { title: 'Consolidation', findings: consolidation },
      ...driftSection(explained, state),
      { title: 'Lifecycle', findings: lifecycleFindings(state) },
      { title: 'Facts', findings: factFindings(explained, state) },
    ],
    changes: [],
  };
}

function summaryOf({ kind, name }: Explanation['subject'], findings: readonly Finding[]): string {
  const [blocker] = findings.filter(({ verdict }) => verdict === 'blocked');
  const others = findings.filter(({ verdict }) => verdict === 'blocked').length - 1;
  if (blocker === undefined) return `${kind} ${name}: ${findings[0]?.text ?? 'nothing keeps it'}.`;
  const more = others > 0 ? `, and ${counted(others, 'other reason')}` : '';
  return `${kind} ${name} is kept: ${blocker.text}${more}.`;
}

const steps = [
  nodeClaimConditions.launched,
  nodeClaimConditions.registered,
  nodeClaimConditions.initialized,
  nodeClaimConditions.consolidatable,
] as const;

function lifecycleFindings({ nodeClaim, node }: NodeState): readonly Finding[] {
  if (nodeClaim === undefined)
    return [fact(`created ${node?.metadata.creationTimestamp ?? 'at an unknown time'}`)];
  const conditions = nodeClaim.status?.conditions ?? [];
  const reached = steps.map((type) => {
    const condition = getCondition({ conditions }, type);
    if (condition?.status === 'True') return met(`${type} since ${condition.lastTransitionTime}`);
    const { reason = '', message = '' } = condition ?? {};
    const why = [reason === type ? '' : reason, message].filter((part) => part !== '').join(': ');
    return blocked(`not ${type}${why === '' ? '' : ` (${why})`}`);
  });
  const expiry = expiryOf(nodeClaim);
  return [
    fact(`NodeClaim ${nodeClaim.metadata.name} was created ${nodeClaim.metadata.creationTimestamp ?? ''}`),
    ...reached,
    expiry === undefined ? fact('it never expires') : fact('it has not expired', { until: expiry }),
  ];
}

function driftSection(
  explained: ExplainedCluster,
  { nodeClaim, view }: NodeState,
): readonly ExplanationSection[] {
  const conditions = nodeClaim?.status?.conditions ?? [];
  const drifted = getCondition({ conditions }, nodeClaimConditions.drifted);
  if (drifted?.status !== 'True') return [];
  const since = drifted.lastTransitionTime;
  return [
    {
      title: 'Drift',
      findings: [
        fact(`drifted since ${since}: ${drifted.reason}, so it will be replaced`),
        ...budgetFindings(explained, view.nodePool ?? '', [disruptionReasons.drifted]),
      ],
    },
  ];
}

function factFindings({ cluster }: ExplainedCluster, state: NodeState): readonly Finding[] {
  const { offering, view, pods } = state;
  const evaluator = new CandidateEvaluator({ snapshot: cluster, queued: new Set() });
  const price = evaluator.priceOf(state);
  const parts = [offering.instanceType, offering.capacityType, offering.zone].filter(
    (part) => part !== undefined,
  );
  const movable = pods.filter(({ isReschedulable }) => isReschedulable).length;
  const changed = timestampMs(state.nodeClaim?.status?.lastPodEventTime);
  const upcoming = state.nodeClaim?.metadata.annotations?.[annotationKeys.upcomingPods];
  return [
    fact(
      `${parts.join(' ') || 'unknown type'} of ${view.nodePool === undefined ? 'no NodePool' : `NodePool ${view.nodePool}`}, ${price > 0 ? dollars(price) : 'price unknown'}`,
    ),
    fact(
      pods.length === 0
        ? 'no pods'
        : `${counted(pods.length, 'pod')}, ${movable} of which would need another node`,
    ),
    ...(upcoming === undefined
      ? []
      : [fact(`it was sized also for pods that were still being created: ${upcoming}`)]),
    ...(changed === undefined
      ? []
      : [fact(`the last pod came or went ${state.nodeClaim?.status?.lastPodEventTime}`)]),
  ];
}
