import { type Command, isPlanned, type NewNode, type WaitingCommand } from '../disruption/index.ts';
import type { Placement, Plan, PlannedNode, Rejection } from '../scheduling/index.ts';

/** The inputs of a decision besides its cluster, and what was decided in full. Plain data. */
export type ReplayRecord = PlanReplay | DisruptionReplay;

export interface PlanReplay {
  readonly kind: 'plan';
  /** Uids of pods that come first, because the round before did not get to them. */
  readonly first: readonly string[];
  /** Uids of pods that alone are planned for, with suspect offerings; absent in other rounds. */
  readonly lastChoices?: readonly string[];
  readonly plan: PlanRecord;
}

/** A plan without the choices, which are computed on demand and refer to the whole planner. */
export interface PlanRecord extends Pick<Plan, 'deferred'> {
  readonly placements: readonly Placement[];
  readonly newNodes: readonly NewNodeRecord[];
  readonly rejections: readonly Pick<Rejection, 'pod' | 'message'>[];
}

export type NewNodeRecord = Omit<PlannedNode, 'choice'>;

/** The methods of disruption, in the order in which they run. */
export const disruptionMethods = ['emptiness', 'static-drift', 'drift', 'consolidation'] as const;
export type DisruptionMethod = (typeof disruptionMethods)[number];

export interface DisruptionReplay {
  readonly kind: 'disruption';
  readonly method: DisruptionMethod;
  /** Ids of nodes that running commands disrupt. */
  readonly queued: readonly string[];
  /** Commands that waited when the method began, due or not. */
  readonly waiting: readonly WaitingRecord[];
  readonly command: CommandRecord;
}

export interface WaitingRecord extends Pick<WaitingCommand, 'since' | 'heldSince'> {
  readonly command: Omit<CommandRecord, 'destinations'>;
}

export interface CommandRecord extends Pick<Command, 'reason' | 'consolidationType' | 'savings' | 'avoided'> {
  readonly nodes: readonly { readonly id: string; readonly name: string }[];
  readonly replacements: readonly ReplacementRecord[];
  /** Nodes that stay, with the uids of pods that move there. */
  readonly destinations: readonly Placement[];
}

export type ReplacementRecord = NewNodeRecord | { readonly nodePool: string; readonly isStatic: true };

/** Copies lists of nodes and refers to the lists in them, so that it costs little next to a plan. */
export function planRecord({ placements, newNodes, rejections, deferred }: PlanRecord): PlanRecord {
  return {
    placements,
    newNodes: newNodes.map(newNodeRecord),
    rejections: rejections.map(({ pod, message }) => ({ pod, message })),
    deferred,
  };
}

export function commandRecord(command: Command): CommandRecord {
  return {
    ...withoutDestinations(command),
    destinations: command.destinations.map(({ node, pods }) => ({
      node,
      pods: pods.map(({ metadata }) => metadata.uid),
    })),
  };
}

export function waitingRecord({ command, ...times }: WaitingCommand): WaitingRecord {
  return { ...times, command: withoutDestinations(command) };
}

function withoutDestinations(command: Command): Omit<CommandRecord, 'destinations'> {
  const { reason, consolidationType, savings, candidates, replacements, avoided } = command;
  return {
    reason,
    consolidationType,
    savings,
    nodes: candidates.map(({ id, name }) => ({ id, name })),
    replacements: replacements.map(replacementRecord),
    ...(avoided !== undefined && { avoided }),
  };
}

function replacementRecord(node: NewNode): ReplacementRecord {
  return isPlanned(node) ? newNodeRecord(node) : { nodePool: node.nodePool, isStatic: true };
}

function newNodeRecord(node: NewNodeRecord): NewNodeRecord {
  const { nodePool, requirements, instanceTypes, pods, requests, price, drivers } = node;
  const record = { nodePool, requirements, instanceTypes, pods, requests, price };
  return drivers === undefined ? record : { ...record, drivers };
}
