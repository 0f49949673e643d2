import { type consolidationTypes, type DisruptionReason, disruptionDecisions } from '../../api/index.ts';
import { listedNames } from '../../provisioning/index.ts';
import type { PlannedNode, PodView } from '../../scheduling/index.ts';
import type { Candidate } from '../candidates/candidate.ts';

export type ConsolidationType = (typeof consolidationTypes)[keyof typeof consolidationTypes];

/** A replacement: a node planned by a simulation, or one more replica of a static NodePool. */
export type NewNode = PlannedNode | StaticNode;

interface StaticNode {
  readonly nodePool: string;
  readonly isStatic: true;
}

export function isPlanned(node: NewNode): node is PlannedNode {
  return !('isStatic' in node);
}

/** A node that stays, and the pods that are expected to move to it. */
export interface Destination {
  /** Node name. */
  readonly node: string;
  readonly pods: readonly PodView[];
}

/** Nodes to disrupt together, and the replacements that must be initialized before they are deleted. */
export interface Command {
  readonly reason: DisruptionReason;
  readonly consolidationType: ConsolidationType;
  readonly candidates: readonly Candidate[];
  readonly replacements: readonly NewNode[];
  readonly destinations: readonly Destination[];
  /** Names of nodes that its pods must not go to, because other commands remove them next (ADR 0031). */
  readonly avoided?: readonly string[];
  /** In dollars per hour; negative if the replacements cost more. */
  readonly savings: number;
}

type CommandDecision = (typeof disruptionDecisions)[keyof typeof disruptionDecisions];

export function decisionOf({ replacements }: Pick<Command, 'replacements'>): CommandDecision {
  return replacements.length > 0 ? disruptionDecisions.replace : disruptionDecisions.delete;
}

/** The NodePool of each candidate, once per candidate. */
export function poolsOf({ candidates }: Pick<Command, 'candidates'>): readonly string[] {
  return candidates.map(({ nodePool }) => nodePool.metadata.name);
}

/** For logs: `Underutilized/<id>: replace: nodepools=[a,b]: [n1, n2] -> [1 replacement] (savings: $0.12)`. */
export function commandText(command: Command, id: string): string {
  const pools = [...new Set(poolsOf(command))].sort().join(',');
  return `${command.reason}/${id}: ${decisionOf(command)}: nodepools=[${pools}]: ${moveText(command)} ${savingsText(command)}`;
}

/** For events: `replace: [n1] -> [1 replacement]`. */
export function shortCommandText(command: Command): string {
  return `${decisionOf(command)}: ${moveText(command)}`;
}

/** Event message for one candidate of a command with several. */
export function memberText(command: Command, { name }: Candidate): string {
  return `${decisionOf(command)}: [${name}] (part of ${command.candidates.length}-node consolidation)`;
}

export function savingsText({ savings }: Pick<Command, 'savings'>): string {
  return `(savings: $${savings.toFixed(2)})`;
}

function moveText({ candidates, replacements }: Command): string {
  const nodes = `[${listedNames(candidates.map(({ name }) => name))}]`;
  if (replacements.length === 0) return nodes;
  return `${nodes} -> [${replacements.length} replacement${replacements.length === 1 ? '' : 's'}]`;
}
