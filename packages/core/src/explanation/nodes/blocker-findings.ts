import { annotationKeys } from '../../api/index.ts';
import { type Blocker, type Candidate, CandidateEvaluator } from '../../disruption/index.ts';
import { type ClusterSnapshot, doNotDisrupt, type NodeState, type PodState } from '../../state/index.ts';
import type { Finding } from '../explanation.ts';
import { blocked } from '../wording.ts';

/** What keeps a node from being disrupted, and the candidate if nothing does. */
export interface NodeBlockers {
  readonly findings: readonly Finding[];
  readonly candidate?: Candidate;
}

/**
 * All blockers of a node. The controllers' check stops at the first; to see the others, each is taken away from a
 * copy once it was found. Pods are checked one by one.
 */
export function nodeBlockers(snapshot: ClusterSnapshot, state: NodeState): NodeBlockers {
  const evaluator = new CandidateEvaluator({ snapshot, queued: new Set() });
  const findings: Finding[] = [];
  let current: NodeState | undefined = { ...state, pods: [] };
  while (current !== undefined) {
    const verdict = evaluator.evaluate(current, 'graceful');
    if (!isBlocker(verdict)) break;
    findings.push(blockerFinding(verdict, current));
    current = without(verdict, current);
  }
  const ofPods = state.pods.flatMap((pod) => podBlockers(evaluator, state, pod));
  const all = [...findings, ...ofPods];
  if (all.length > 0) return { findings: all };
  const candidate = evaluator.evaluate(state, 'graceful');
  return isBlocker(candidate)
    ? { findings: [blockerFinding(candidate, state)] }
    : { findings: [], candidate };
}

function isBlocker(verdict: Candidate | Blocker): verdict is Blocker {
  return 'cause' in verdict;
}

const podCauses: ReadonlySet<string> = new Set(['pod-annotation', 'multiple-pdbs', 'exhausted-pdb']);

/** What about this pod blocks its node, whatever else does. */
export function podBlockers(
  evaluator: CandidateEvaluator,
  state: NodeState,
  pod: PodState,
): readonly Finding[] {
  const open = { ...cleared(state), pods: [pod] };
  const verdict = evaluator.evaluate(open, 'graceful');
  if (!isBlocker(verdict) || !podCauses.has(verdict.cause)) return [];
  const protection = doNotDisrupt(pod.pod);
  const until = protection.kind === 'protected' ? protection.until : Number.POSITIVE_INFINITY;
  const hasEnd = verdict.cause === 'pod-annotation' && Number.isFinite(until);
  const text = verdict.cause === 'pod-annotation' ? '' : ` for pod ${pod.key}`;
  return [blocked(`${verdict.message ?? verdict.cause}${text}`, hasEnd ? { until } : {})];
}

const plainTexts: Readonly<Record<string, string>> = {
  'no-node-claim': 'it has no NodeClaim, so Karpenter does not manage it',
  'no-node': 'its NodeClaim has no node yet',
  'not-initialized': 'it is still starting: not initialized yet',
};

function blockerFinding({ cause, message }: Blocker, { nominatedUntil }: NodeState): Finding {
  const text = message ?? plainTexts[cause] ?? cause;
  return blocked(
    text,
    cause === 'nominated' && nominatedUntil !== undefined ? { until: nominatedUntil } : {},
  );
}

/** The node without the blocker; undefined where nothing else could be checked. */
function without({ cause }: Blocker, state: NodeState): NodeState | undefined {
  if (cause === 'nominated') return { ...state, nominatedUntil: undefined };
  return cause === 'node-annotation' ? cleared(state) : undefined;
}

function cleared({ node, ...state }: NodeState): NodeState {
  if (node === undefined) return { ...state, node, nominatedUntil: undefined };
  const { [annotationKeys.doNotDisrupt]: _kept, ...annotations } = node.metadata.annotations ?? {};
  return {
    ...state,
    nominatedUntil: undefined,
    node: { ...node, metadata: { ...node.metadata, annotations } },
  };
}
