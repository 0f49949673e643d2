import { isConditionTrue, labelKeys, nodeClaimConditions } from '../../api/index.ts';
import { endsStep, runAtOnce, type Steps } from '../../yielding/index.ts';
import { durationOption, poolOptions } from '../pool-options.ts';
import { type Candidate, isEmptyCandidate } from './candidate.ts';
import { consolidateAfter } from './consolidatable.ts';

/**
 * Whether a method may disrupt the candidate at all (`isOpen`). If not, the message of the event `Unconsolidatable`;
 * without a message no event is published.
 */
export type GateVerdict = { readonly isOpen: true } | { readonly isOpen: false; readonly message?: string };

const open: GateVerdict = { isOpen: true };
const closed: GateVerdict = { isOpen: false };

/**
 * Whether the node may be deleted or replaced with its pods moved. Empty nodes are left to emptiness; nodes of static
 * NodePools are never consolidated. The checks run in Karpenter's order, which decides what event is published.
 */
export function consolidationGate(candidate: Candidate): GateVerdict {
  const { nodePool, instanceType, state } = candidate;
  const { name } = nodePool.metadata;
  if (nodePool.spec.replicas !== undefined) return closed;
  if (instanceType === undefined)
    return { isOpen: false, message: `Instance Type "${state.offering.instanceType ?? ''}" not found` };
  if (state.offering.capacityType === undefined) return missing(labelKeys.capacityType);
  if (state.offering.zone === undefined) return missing(labelKeys.zone);
  if (consolidateAfter(nodePool) === undefined) return disabled(name);
  if (isEmptyCandidate(candidate)) return closed;
  if (nodePool.spec.disruption.consolidationPolicy === 'WhenEmpty')
    return {
      isOpen: false,
      message: `NodePool "${name}" has consolidation policy WhenEmpty, but node is not empty`,
    };
  return isConsolidatable(candidate) && hasWaited(candidate, poolOptions.underutilizedAfter) ? open : closed;
}

/** Whether the node may be deleted because it is empty. */
export function emptinessGate(candidate: Candidate): GateVerdict {
  const { nodePool, state } = candidate;
  if (nodePool.spec.replicas !== undefined) return closed;
  if (consolidateAfter(nodePool) === undefined) return disabled(nodePool.metadata.name);
  if (!isConsolidatable(candidate) || !isEmptyCandidate(candidate)) return closed;
  if (!hasWaited(candidate, poolOptions.emptyAfter)) return closed;
  // Last, so that only nodes that emptiness would otherwise delete get the event.
  if (state.bufferPods > 0) return { isOpen: false, message: `Node "${candidate.name}" has buffer pods` };
  return open;
}

/** A message for an event on a candidate. */
export interface CandidateMessage {
  readonly candidate: Candidate;
  readonly message: string;
}

export interface GatedCandidates {
  readonly eligible: readonly Candidate[];
  readonly unconsolidatable: readonly CandidateMessage[];
}

/** Runs `gateSteps` to its end without yielding. */
export function gatedCandidates(candidates: readonly Candidate[], gate?: Gate): GatedCandidates {
  return runAtOnce(gateSteps(candidates, gate));
}

type Gate = (candidate: Candidate) => GateVerdict;

/** Candidates that pass the gate, and messages for those that do not. */
export function* gateSteps(
  candidates: readonly Candidate[],
  gate: Gate = consolidationGate,
): Steps<GatedCandidates> {
  const eligible: Candidate[] = [];
  const unconsolidatable: CandidateMessage[] = [];
  for (const [index, candidate] of candidates.entries()) {
    const verdict = gate(candidate);
    if (verdict.isOpen) eligible.push(candidate);
    else if (verdict.message !== undefined) unconsolidatable.push({ candidate, message: verdict.message });
    if (endsStep(index, 'medium')) yield;
  }
  return { eligible, unconsolidatable };
}

function isConsolidatable({ nodeClaim }: Candidate): boolean {
  return isConditionTrue(
    { conditions: nodeClaim.status?.conditions ?? [] },
    nodeClaimConditions.consolidatable,
  );
}

/** Whether the time that a NodePool annotation sets beyond `consolidateAfter` has passed (ADR 0026). */
function hasWaited(
  { nodePool, sinceLastPodEvent }: Candidate,
  option: typeof poolOptions.emptyAfter | typeof poolOptions.underutilizedAfter,
): boolean {
  return sinceLastPodEvent >= (durationOption(nodePool, option) ?? 0);
}

function missing(label: string): GateVerdict {
  return { isOpen: false, message: `Node does not have label "${label}"` };
}

function disabled(nodePool: string): GateVerdict {
  return { isOpen: false, message: `NodePool "${nodePool}" has consolidation disabled` };
}
