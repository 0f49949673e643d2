import { bufferOutcomes } from '@karpenter/core/capacity-buffers';
import {
  expectedPlacements,
  LaunchWaits,
  lostVariety,
  type NominatedNode,
  type PlanInput,
  type PlanOutcome,
  PlanOutcomes,
} from '@karpenter/core/provisioning';
import type { Plan, PlannedNode } from '@karpenter/core/scheduling';
import type { ClusterSnapshot } from '@karpenter/core/state';
import { mapInSlices } from '@karpenter/kube/yielding';
import { writeBufferOutcomes } from '../capacitybuffer/index.ts';
import type { ControllerContext } from '../context/index.ts';
import { type Creation, createNodeClaims } from '../nodeclaim-creation/index.ts';
import { errorFields } from '../operator/index.ts';
import { nominationWindow } from './nomination-window.ts';
import type { PassReport } from './pass-report.ts';

export type PassContext = Pick<
  ControllerContext,
  'client' | 'caches' | 'cluster' | 'meters' | 'log' | 'vocabulary' | 'clock' | 'settings' | 'recorder'
>;

export interface PassInput {
  readonly cluster: ClusterSnapshot;
  readonly input: PlanInput;
}

/**
 * Applies a plan: nominates nodes, creates NodeClaims and publishes events. A NodeClaim that cannot be
 * created is logged and does not fail the pass, unlike in Karpenter: one bad NodePool must not delay the
 * others by a backoff (ADR 0023). Returns the outcome of each new node.
 */
export async function applyPlan(
  context: PassContext,
  report: PassReport,
  { cluster, input }: PassInput,
  plan: Plan,
): Promise<readonly Creation[]> {
  const { pods } = input.snapshot;
  const outcomes = new PlanOutcomes(pods, cluster);
  recordPlacements(context, report, outcomes.placed(plan.placements));
  // Nodes that are not initialized keep room for these pods, so that the next plan does not place them again.
  for (const expected of outcomes.expected(plan.placements)) {
    context.cluster.learn({ type: 'podsExpected', ...expected });
  }
  reportRejections(report, { cluster, plan, outcomes });
  report.deferred(outcomes.real(plan.deferred));
  // Last, because it yields: snapshots that others take meanwhile must show the nominations.
  return createClaims(context, report, { snapshot: input.snapshot, plan, outcomes });
}

interface RejectingPlan {
  readonly cluster: ClusterSnapshot;
  readonly plan: Plan;
  readonly outcomes: PlanOutcomes;
}

/** A pod that limits reject only while NodeClaims launch has not failed: the next plan decides (ADR 0015). */
function reportRejections(report: PassReport, { cluster, plan, outcomes }: RejectingPlan): void {
  if (plan.rejections.length === 0) return;
  const waits = new LaunchWaits(cluster);
  const waiting = plan.rejections.filter((rejection) => waits.concern(rejection));
  const isWaiting = new Set(waiting);
  report.rejected(outcomes.rejected(plan.rejections.filter((rejection) => !isWaiting.has(rejection))));
  report.waiting(outcomes.real(waiting.map(({ pod }) => pod)));
}

/**
 * Publishes Nominated again for pods that wait for a node under way, and renews the nomination of that node.
 * Such pods are held: no plan covers them until they are bound or their wait ends (ADR 0015).
 */
export function renewNominations(context: PassContext, report: PassReport): void {
  const cluster = context.cluster.snapshot();
  const outcomes = new PlanOutcomes(
    cluster.heldPods.map(({ pod }) => pod),
    cluster,
  );
  recordPlacements(context, report, outcomes.placed(expectedPlacements(cluster)));
}

/** Nominates the nodes, publishes the nominations on the pods and records the decisions. */
function recordPlacements(context: PassContext, report: PassReport, placed: PlanOutcome): void {
  nominate(context, placed.nominatedNodes);
  report.nominated(placed.nominations);
  report.decided(placed.schedulingDecisions);
}

function nominate({ cluster, clock, settings }: PassContext, nominated: readonly NominatedNode[]): void {
  const until = clock.now() + nominationWindow(settings);
  for (const { node, pods } of nominated) cluster.learn({ type: 'nominated', nodes: [node], until, pods });
}

interface PlannedClaims {
  readonly snapshot: PlanInput['snapshot'];
  readonly plan: Plan;
  readonly outcomes: PlanOutcomes;
}

/** Creates the NodeClaims of a plan, and reports the pods of each claim that was created. */
async function createClaims(
  context: PassContext,
  report: PassReport,
  { snapshot, plan, outcomes }: PlannedClaims,
): Promise<readonly Creation[]> {
  const refusals = plan.newNodes.flatMap((planned) => {
    const error = unmetMinValues(context, report, { snapshot, planned, outcomes });
    return error === undefined ? [] : [{ planned, error }];
  });
  const refused = new Set(refusals.map(({ planned }) => planned));
  const creatable = plan.newNodes.filter((planned) => !refused.has(planned));
  const creations = await createNodeClaims(context, creatable, { reason: 'provisioned', snapshot });
  const reportOne = (creation: Creation) => reportCreation(context, report, { creation, outcomes });
  await mapInSlices(creations, reportOne, context.clock);
  return [...creations, ...refusals];
}

interface ReportedCreation {
  readonly creation: Creation;
  readonly outcomes: PlanOutcomes;
}

function reportCreation(
  { log }: PassContext,
  report: PassReport,
  { creation, outcomes }: ReportedCreation,
): void {
  const { nodePool, pods } = creation.planned;
  if ('error' in creation) {
    // Its pods get no event: they trigger a plan again within ten seconds (ADR 0023).
    log.error('failed creating nodeclaim', { NodePool: { name: nodePool }, ...errorFields(creation.error) });
    return;
  }
  const created = outcomes.created(pods, nodePool, creation.nodeClaim.metadata.name);
  report.nominated(created.nominations);
  report.decided(created.schedulingDecisions);
}

interface MinValuesCheck {
  readonly snapshot: PlanInput['snapshot'];
  readonly planned: PlannedNode;
  readonly outcomes: PlanOutcomes;
}

/**
 * Why the instance types that fit on a NodeClaim no longer satisfy the minValues of the pool: a claim lists at
 * most 600 types, and the cut may lose values. Then the pods are rejected.
 */
function unmetMinValues(
  { settings, vocabulary }: PassContext,
  report: PassReport,
  { snapshot, planned, outcomes }: MinValuesCheck,
): string | undefined {
  if (settings.minValuesPolicy !== 'Strict') return undefined;
  const types = snapshot.instanceTypes.get(planned.nodePool) ?? [];
  const message = lostVariety(planned, types, vocabulary.policy);
  if (message !== undefined) report.rejected(outcomes.real(planned.pods).map((pod) => ({ pod, message })));
  return message;
}

/**
 * Records how many buffer pods each node has and writes the status of the buffers. As in Karpenter the
 * counts are replaced by every pass, and block emptiness for their nodes. Does nothing without the gate
 * CapacityBuffer.
 */
export async function recordBufferPods(
  context: PassContext,
  { cluster, input }: PassInput,
  plan: Plan,
): Promise<void> {
  if (!context.settings.featureGates.CapacityBuffer) return;
  const { byBuffer, byNode } = bufferOutcomes(input.snapshot.pods, plan);
  const idOf = new Map(cluster.nodeStates.map(({ view, id }) => [view.name, id]));
  context.cluster.learn({
    type: 'bufferPodsPlaced',
    byNode: new Map([...byNode].flatMap(([name, count]) => byId(idOf.get(name), count))),
  });
  await writeBufferOutcomes(context, byBuffer);
}

/** An entry for the map, or none for a node that is not in the snapshot. */
function byId(id: string | undefined, count: number): readonly (readonly [string, number])[] {
  return id === undefined ? [] : [[id, count]];
}
