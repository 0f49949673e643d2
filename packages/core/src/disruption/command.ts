import { type consolidationTypes, type DisruptionReason, disruptionDecisions } from '../api/index.ts';
import { listedNames } from '../provisioning/index.ts';
import type { PlannedNode, PodView } from '../scheduling/index.ts';
import type { Candidate } from './candidate.ts';

export type ConsolidationType = (typeof consolidationTypes)[keyof typeof consolidationTypes];

/** A node that stands in for others: one that a simulation has planned, or one more replica of a static pool. */
export type NewNode = PlannedNode | StaticNode;

export interface StaticNode {
  readonly nodePool: string;
  readonly isStatic: true;
}

export function isPlanned(node: NewNode): node is PlannedNode {
  return !('isStatic' in node);
}

/** A node that stays, and the pods that are expected to move to it. */
export interface Destination {
  /** Its name. */
  readonly node: string;
  readonly pods: readonly PodView[];
}

/** Nodes to take away together, and those that have to be up first. */
export interface Command {
  readonly reason: DisruptionReason;
  readonly consolidationType: ConsolidationType;
  readonly candidates: readonly Candidate[];
  readonly replacements: readonly NewNode[];
  readonly destinations: readonly Destination[];
  /** In dollars an hour. */
  readonly savings: number;
}

export type Decision = (typeof disruptionDecisions)[keyof typeof disruptionDecisions];

export function decisionOf({ replacements }: Pick<Command, 'replacements'>): Decision {
  return replacements.length > 0 ? disruptionDecisions.replace : disruptionDecisions.delete;
}

/** The pool of each candidate, as often as there are candidates in it. */
export function poolsOf({ candidates }: Pick<Command, 'candidates'>): readonly string[] {
  return candidates.map(({ nodePool }) => nodePool.metadata.name);
}

/** As logs give it: `Underutilized/<id>: replace: nodepools=[a,b]: [n1, n2] -> [1 replacement] (savings: $0.12)`. */
export function commandText(command: Command, id: string): string {
  const pools = [...new Set(poolsOf(command))].sort().join(',');
  return `${command.reason}/${id}: ${decisionOf(command)}: nodepools=[${pools}]: ${moveText(command)} ${savingsText(command)}`;
}

/** As events give it: `replace: [n1] -> [1 replacement]`. */
export function shortCommandText(command: Command): string {
  return `${decisionOf(command)}: ${moveText(command)}`;
}

/** What is said to one node of a replacement of several. */
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
