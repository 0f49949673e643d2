import { compileLabelSelector } from '@karpenter/core/values';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import { instantOf } from '../objects/timestamp.ts';
import { prepare } from './fit.ts';
import { type Diagnosis, histogram } from './fit-error.ts';
import type { PodInfo } from './pods/pod-info.ts';
import type { SchedulerState } from './state/cluster-state.ts';
import type { NodeInfo } from './state/node-info.ts';

/** The node and the pods to evict from it, or why preemption does not help. */
export type Preemption =
  | { readonly nodeName: string; readonly victims: readonly PodInfo[] }
  | { readonly message: string };

interface Candidate {
  readonly nodeName: string;
  readonly victims: readonly PodInfo[];
  /** Evictions that violate a PodDisruptionBudget; like kube-scheduler, a last resort. */
  readonly violations: number;
}

const notHelpful = 'Preemption is not helpful for scheduling';
const noVictims = 'No preemption victims found for incoming pod';

interface PreemptionContext {
  readonly cluster: SchedulerState;
  readonly budgets: readonly PodDisruptionBudget[];
}

/**
 * Finds the node where evicting pods of lower priority does the least harm, as the DefaultPreemption plugin
 * does. Simulates evictions in the state and leaves it as it was.
 */
export function preempt(
  pod: PodInfo,
  { obstacles, nodeCount }: Diagnosis,
  { cluster, budgets }: PreemptionContext,
): Preemption {
  if (pod.pod.spec?.preemptionPolicy === 'Never') {
    return { message: 'preemption: not eligible due to preemptionPolicy=Never.' };
  }
  const reasons: string[] = [];
  const candidates: Candidate[] = [];
  for (const node of cluster.nodes) {
    // Evictions change neither labels nor taints nor where a volume is, so nodes that fail for these are skipped.
    const isPossible = obstacles.get(node.name)?.isResolvable === true;
    const found = isPossible ? candidateOn(node, pod, { cluster, budgets }) : [notHelpful];
    if ('victims' in found) candidates.push(found);
    else reasons.push(...found);
  }
  const [best] = candidates.sort(byDisruption);
  if (best !== undefined) return best;
  return { message: `preemption: 0/${nodeCount} nodes are available: ${histogram(reasons)}.` };
}

function candidateOn(
  node: NodeInfo,
  pod: PodInfo,
  { cluster, budgets }: PreemptionContext,
): Candidate | readonly string[] {
  const lower = [...node.pods.values()].filter((other) => other.priority < pod.priority);
  if (lower.length === 0) return [noVictims];
  for (const other of lower) cluster.unplace(other.key);
  const obstacle = prepare(pod, cluster).check(node);
  if (obstacle !== undefined) {
    for (const other of lower) cluster.place(other, node.name);
    return obstacle.reasons;
  }
  // All lower-priority pods are removed by now; put back as many as fit, the most important first.
  const ordered = reprieveOrder(lower, budgets);
  const victims = ordered.filter(({ pod: other }) => {
    cluster.place(other, node.name);
    if (prepare(pod, cluster).check(node) === undefined) return false;
    cluster.unplace(other.key);
    return true;
  });
  for (const { pod: other } of victims) cluster.place(other, node.name);
  return {
    nodeName: node.name,
    victims: victims.map(({ pod: other }) => other),
    violations: victims.filter(({ isProtected }) => isProtected).length,
  };
}

interface PotentialVictim {
  readonly pod: PodInfo;
  readonly isProtected: boolean;
}

/**
 * The order in which pods are put back: first those whose eviction would violate a budget, then by priority.
 */
function reprieveOrder(
  pods: readonly PodInfo[],
  budgets: readonly PodDisruptionBudget[],
): readonly PotentialVictim[] {
  const left = new Map(budgets.map((budget) => [budget, budget.status?.disruptionsAllowed ?? 0]));
  const ordered = pods.toSorted(byImportance).map((pod) => {
    const matching = budgets.filter((budget) => protects(budget, pod));
    for (const budget of matching) left.set(budget, (left.get(budget) ?? 0) - 1);
    return { pod, isProtected: matching.some((budget) => (left.get(budget) ?? 0) < 0) };
  });
  return ordered.toSorted((a, b) => Number(b.isProtected) - Number(a.isProtected));
}

function protects({ metadata, spec }: PodDisruptionBudget, { identity }: PodInfo): boolean {
  return metadata?.namespace === identity.namespace && compileLabelSelector(spec?.selector)(identity.labels);
}

function startOf({ pod }: PodInfo): number {
  return instantOf(pod.status?.startTime) ?? Number.MAX_SAFE_INTEGER;
}

function byImportance(a: PodInfo, b: PodInfo): number {
  return b.priority - a.priority || startOf(a) - startOf(b);
}

function highest({ victims }: Candidate): number {
  return Math.max(...victims.map(({ priority }) => priority));
}

/** Priorities may be negative; the offset makes every further victim add to the sum. */
function sumOfPriorities({ victims }: Candidate): number {
  return victims.reduce((sum, { priority }) => sum + priority + 2 ** 31, 0);
}

/** The criteria of kube-scheduler, in its order. */
function byDisruption(a: Candidate, b: Candidate): number {
  return (
    a.violations - b.violations ||
    highest(a) - highest(b) ||
    sumOfPriorities(a) - sumOfPriorities(b) ||
    a.victims.length - b.victims.length ||
    earliestStartOfHighest(b) - earliestStartOfHighest(a)
  );
}

/**
 * The earliest start among the victims of highest priority. The node with the latest wins, because less work
 * is lost.
 */
function earliestStartOfHighest(candidate: Candidate): number {
  const top = highest(candidate);
  return Math.min(...candidate.victims.filter(({ priority }) => priority === top).map(startOf));
}
