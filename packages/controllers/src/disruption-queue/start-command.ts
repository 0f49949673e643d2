import { randomUUID } from 'node:crypto';
import { disruptionMetrics, disruptionReasons, labelKeys, type NodeClaim } from '@karpenter/core/api';
import { commandRecord, type DisruptionReplay, disruptionDecision } from '@karpenter/core/decisions';
import {
  type Candidate,
  type Command,
  commandText,
  decisionOf,
  isPlanned,
  type NewNode,
  poolsOf,
} from '@karpenter/core/disruption';
import { CodedError } from '@karpenter/core/errors';
import type { LogFields } from '@karpenter/core/ports';
import { listedNames } from '@karpenter/core/provisioning';
import type { CapturedCluster } from '@karpenter/core/saved-cluster';
import type { ClusterSnapshot } from '@karpenter/core/state';
import type { ControllerContext } from '../context/index.ts';
import { type CreationContext, createNodeClaims, createReplica } from '../nodeclaim-creation/index.ts';
import { nominationEvent, nominationWindow } from '../provisioner/index.ts';
import type { CommandQueue } from './command-queue.ts';
import { markDisrupted } from './node-marks.ts';

export type StartContext = CreationContext &
  Pick<ControllerContext, 'clock' | 'settings' | 'recorder' | 'decisions'>;

/** The inputs of a method's decision, which the decision log keeps for `karpenter replay`. */
export interface MethodOrigin {
  readonly captured: CapturedCluster;
  /** Lazy, because most passes start no command. */
  readonly inputs: () => Omit<DisruptionReplay, 'kind' | 'command'>;
}

export interface StartOptions {
  readonly queue: CommandQueue;
  /** The snapshot that the command was decided on. */
  readonly snapshot: ClusterSnapshot;
  /** Absent if the decision log keeps no clusters. */
  readonly origin?: MethodOrigin | undefined;
}

/**
 * Starts a command: taints its nodes, creates the replacements and adds the command to the queue.
 *
 * As in Karpenter nodes are marked for deletion only after their replacements are created. Marked earlier,
 * their pods would be planned for by provisioning, which would launch nodes of its own beside the
 * replacements. Throws when a step fails; `disruption/stale-taints.ts` removes the taints that are left before the
 * next method runs.
 */
export async function startCommand(
  context: StartContext,
  command: Command,
  options: StartOptions,
): Promise<void> {
  const { cluster, clock } = context;
  const id = randomUUID();
  const { reason, savings } = command;
  context.log.info('disrupting node(s)', logFields(command, id), { reason, savings });
  const { queue } = options;
  // Until `queue.add` these taints look stale. Only the disruption loop removes stale ones, and it awaits
  // this start.
  const tainted = await taintAll(context, command, queue);
  if (tainted.candidates.length === 0) return;
  const claims = await createReplacements(context, tainted, options.snapshot).catch((error: unknown) => {
    queue.abandon(tainted.candidates);
    throw error;
  });
  cluster.learn({ type: 'markedForDeletion', nodes: tainted.candidates.map(({ id: node }) => node) });
  nominate(context, tainted, options.snapshot);
  queue.add({
    id,
    command: tainted,
    since: clock.now(),
    replacements: claims.map(({ metadata }) => ({ name: metadata.name, isInitialized: false })),
  });
  countDecision(context, tainted);
  recordDecision(context, { command, tainted, claims, origin: options.origin });
}

interface StartedCommand extends Pick<StartOptions, 'origin'> {
  /** As decided, with all candidates. */
  readonly command: Command;
  /** With only the candidates that could be tainted. */
  readonly tainted: Command;
  readonly claims: readonly NodeClaim[];
}

function recordDecision({ decisions }: StartContext, started: StartedCommand): void {
  if (!decisions.isOn) return;
  const { command, tainted, claims, origin } = started;
  const draft = disruptionDecision(
    tainted,
    claims.map(({ metadata }) => metadata.name),
  );
  if (origin === undefined) return void decisions.record(draft);
  const { captured, inputs } = origin;
  const record = { kind: 'disruption', ...inputs(), command: commandRecord(command) } as const;
  decisions.record(draft, { captured, record });
}

/**
 * Taints all nodes of a command. A pure deletion goes on with the nodes that could be tainted; a replacement
 * needs all of them, because it was sized for the pods of all of them.
 */
async function taintAll(context: StartContext, command: Command, queue: CommandQueue): Promise<Command> {
  const outcomes = await Promise.allSettled(
    command.candidates.map(({ name, nodeClaim }) =>
      markDisrupted(context, { node: name, nodeClaim: nodeClaim.metadata.name }, command.reason),
    ),
  );
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed === undefined) return command;
  const isTainted = (_: Candidate, index: number) => outcomes[index]?.status === 'fulfilled';
  const candidates = command.candidates.filter(isTainted);
  const isAborted = command.replacements.length > 0 || candidates.length === 0;
  // Includes nodes whose write failed: it may have taken effect although its response was lost.
  queue.abandon(
    isAborted ? command.candidates : command.candidates.filter((each) => !candidates.includes(each)),
  );
  if (isAborted) throw commandFailed(command, failed.reason);
  return { ...command, candidates };
}

/** Creates the NodeClaims of a command's replacements; throws if any of them cannot be created. */
async function createReplacements(
  context: StartContext,
  command: Command,
  snapshot: ClusterSnapshot,
): Promise<readonly NodeClaim[]> {
  const reason = command.reason.toLowerCase();
  const planned = command.replacements.filter(isPlanned);
  const creations = await createNodeClaims(context, planned, { reason, snapshot });
  const failure = creations.find((creation) => 'error' in creation);
  // Claims that were created stay, as after a rollback: consolidation removes them if no pod needs them.
  if (failure !== undefined && 'error' in failure) throw commandFailed(command, failure.error);
  const claims = creations.flatMap((creation) => ('nodeClaim' in creation ? [creation.nodeClaim] : []));
  const staticNodes = command.replacements.filter((node) => !isPlanned(node));
  return [...claims, ...(await createStaticReplacements(context, command, staticNodes, snapshot))];
}

/**
 * Creates replicas for nodes of static NodePools. Until the old nodes are marked for deletion their claims
 * count as pending disruption: otherwise static.deprovisioning would see one replica too many and delete it.
 */
async function createStaticReplacements(
  context: StartContext,
  command: Command,
  nodes: readonly NewNode[],
  snapshot: ClusterSnapshot,
): Promise<readonly NodeClaim[]> {
  if (nodes.length === 0) return [];
  const leaving = command.candidates.map(({ nodeClaim }) => nodeClaim.metadata.name);
  context.cluster.learn({ type: 'pendingDisruption', nodeClaims: leaving });
  try {
    return await Promise.all(nodes.map(({ nodePool }) => createReplicaOf(context, nodePool, snapshot)));
  } catch (error) {
    context.cluster.learn({ type: 'disruptionDropped', nodeClaims: leaving });
    throw commandFailed(command, error);
  }
}

async function createReplicaOf(
  context: StartContext,
  name: string,
  { nodePools }: ClusterSnapshot,
): Promise<NodeClaim> {
  const nodePool = nodePools.find(({ metadata }) => metadata.name === name);
  if (nodePool === undefined)
    throw new CodedError('node-pool-gone', `nodepools.karpenter.sh "${name}" not found`);
  return createReplica(context, nodePool, disruptionReasons.drifted.toLowerCase());
}

/**
 * Nominates the nodes that pods move to, which keeps them from being disrupted meanwhile, and publishes it on
 * the pods.
 */
function nominate(
  { cluster, clock, settings, recorder }: StartContext,
  { destinations }: Command,
  { nodeStates }: ClusterSnapshot,
): void {
  if (destinations.length === 0) return;
  const podsByNode = new Map(destinations.map(({ node, pods }) => [node, pods]));
  const states = nodeStates.filter(({ view }) => podsByNode.has(view.name));
  const until = clock.now() + nominationWindow(settings);
  if (states.length > 0) cluster.learn({ type: 'nominated', nodes: states.map(({ id }) => id), until });
  const nominations = states.flatMap(({ view, node, nodeClaim }) =>
    (podsByNode.get(view.name) ?? []).map((pod) => ({
      pod,
      nodeClaim: nodeClaim?.metadata.name,
      node: node?.metadata.name,
    })),
  );
  recorder.publish(...nominations.map(nominationEvent));
}

function countDecision({ meters }: StartContext, command: Command): void {
  const labels = {
    decision: decisionOf(command),
    reason: command.reason.toLowerCase(),
    consolidation_type: command.consolidationType,
  };
  meters.increment(disruptionMetrics.decisions, labels);
  for (const nodepool of new Set(poolsOf(command)))
    meters.increment(disruptionMetrics.decisionsByNodePool, { ...labels, nodepool });
}

function commandFailed(command: Command, cause: unknown): CodedError {
  const nodes = listedNames(command.candidates.map(({ name }) => name));
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CodedError(
    'command-not-started',
    `disrupting node(s) ${nodes} failed: ${why}; the nodes are released and looked at again`,
    { cause },
  );
}

function logFields(command: Command, id: string): LogFields {
  const { candidates, replacements } = command;
  return {
    command: commandText(command, id),
    decision: decisionOf(command),
    'disrupted-node-count': candidates.length,
    'replacement-node-count': replacements.length,
    'pod-count': candidates.reduce((sum, { reschedulable }) => sum + reschedulable.length, 0),
    'disrupted-nodes': candidates.map(disruptedFields),
    'replacement-nodes': replacements.map(replacementFields),
  };
}

function disruptedFields({ name, nodeClaim, state }: Candidate): LogFields {
  return {
    Node: { name },
    NodeClaim: { name: nodeClaim.metadata.name },
    'capacity-type': state.offering.capacityType ?? '',
    'instance-type': state.offering.instanceType ?? '',
  };
}

function replacementFields(node: NewNode): LogFields {
  if (!isPlanned(node)) return { NodePool: { name: node.nodePool } };
  const capacityType = node.requirements.find(({ key }) => key === labelKeys.capacityType);
  return {
    'capacity-type': (capacityType?.values ?? []).join(','),
    'instance-types': listedNames(node.instanceTypes),
  };
}
