import { compileLabelSelector } from '@karpenter/core/values';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import { instantOf } from '../objects/timestamp.ts';
import { prepare } from './fit.ts';
import { type Diagnosis, histogram } from './fit-error.ts';
import type { PodInfo } from './pods/pod-info.ts';
import type { ClusterState } from './state/cluster-state.ts';
import type { NodeInfo } from './state/node-info.ts';

/** Room for a pod is made on a node by evicting others, or why that cannot be done. */
export type Preemption =
  | { readonly nodeName: string; readonly victims: readonly PodInfo[] }
  | { readonly message: string };

interface Candidate {
  readonly nodeName: string;
  readonly victims: readonly PodInfo[];
  /** Evictions that a budget does not allow; they are done only where nothing else helps. */
  readonly violations: number;
}

const isHopeless = 'Preemption is not helpful for scheduling';
const hasNoVictims = 'No preemption victims found for incoming pod';

/** Takes and gives back room in the state while it looks; it leaves the state as it was. */
export function preempt(
  pod: PodInfo,
  { obstacles, nodeCount }: Diagnosis,
  cluster: ClusterState,
  budgets: readonly PodDisruptionBudget[],
): Preemption {
  if (pod.pod.spec?.preemptionPolicy === 'Never') {
    return { message: 'preemption: not eligible due to preemptionPolicy=Never.' };
  }
  const reasons: string[] = [];
  const candidates: Candidate[] = [];
  for (const node of cluster.nodes) {
    const isPossible = obstacles.get(node.name)?.yieldsToEviction === true;
    const found = isPossible ? candidateOn(node, pod, cluster, budgets) : [isHopeless];
    if ('victims' in found) candidates.push(found);
    else reasons.push(...found);
  }
  const [best] = candidates.sort(byHarm);
  if (best !== undefined) return best;
  return { message: `preemption: 0/${nodeCount} nodes are available: ${histogram(reasons)}.` };
}

function candidateOn(
  node: NodeInfo,
  pod: PodInfo,
  cluster: ClusterState,
  budgets: readonly PodDisruptionBudget[],
): Candidate | readonly string[] {
  const lower = [...node.pods.values()].filter((other) => other.priority < pod.priority);
  if (lower.length === 0) return [hasNoVictims];
  for (const other of lower) cluster.unplace(other.key);
  const obstacle = prepare(pod, cluster).check(node);
  if (obstacle !== undefined) {
    for (const other of lower) cluster.place(other, node.name);
    return obstacle.reasons;
  }
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

interface Threatened {
  readonly pod: PodInfo;
  readonly isProtected: boolean;
}

/** Those that a budget protects are spared first, then the more important ones. */
function reprieveOrder(
  pods: readonly PodInfo[],
  budgets: readonly PodDisruptionBudget[],
): readonly Threatened[] {
  const left = new Map(budgets.map((budget) => [budget, budget.status?.disruptionsAllowed ?? 0]));
  const ordered = pods.toSorted(byImportance).map((pod) => {
    const concerned = budgets.filter((budget) => protects(budget, pod));
    for (const budget of concerned) left.set(budget, (left.get(budget) ?? 0) - 1);
    return { pod, isProtected: concerned.some((budget) => (left.get(budget) ?? 0) < 0) };
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

/** Priorities may be negative; shifted, more victims are always worse. */
function sumOfPriorities({ victims }: Candidate): number {
  return victims.reduce((sum, { priority }) => sum + priority + 2 ** 31, 0);
}

function byHarm(a: Candidate, b: Candidate): number {
  return (
    a.violations - b.violations ||
    highest(a) - highest(b) ||
    sumOfPriorities(a) - sumOfPriorities(b) ||
    a.victims.length - b.victims.length ||
    earliestImportant(b) - earliestImportant(a)
  );
}

/** Among equals the node whose most important victims started last. */
function earliestImportant(candidate: Candidate): number {
  const top = highest(candidate);
  return Math.min(...candidate.victims.filter(({ priority }) => priority === top).map(startOf));
}
