import { setImmediate } from 'node:timers/promises';
import { bufferOutcomes } from '@karpenter/core/capacity-buffers';
import { lostVariety, type PlanInput, PlanOutcomes } from '@karpenter/core/provisioning';
import type { Plan, PlannedNode } from '@karpenter/core/scheduling';
import type { ClusterSnapshot } from '@karpenter/core/state';
import { writeBufferOutcomes } from '../capacitybuffer/index.ts';
import type { ControllerContext } from '../context/index.ts';
import { createNodeClaims } from '../nodeclaim-creation/index.ts';
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

/** Carries out what a plan says: nominations, NodeClaims, and word to everybody whom it concerns. */
export async function carryOut(
  context: PassContext,
  report: PassReport,
  { cluster, input }: PassInput,
  plan: Plan,
): Promise<void> {
  const { pods } = input.snapshot;
  const outcomes = new PlanOutcomes(pods, cluster);
  const placed = outcomes.placed(plan.placements);
  nominate(context, placed.nominatedNodes);
  report.nominated(placed.nominations);
  report.judged(placed.judgements);
  report.rejected(outcomes.rejected(plan));
  report.deferred(outcomes.real(plan.deferred));
  await launch(context, report, { cluster, input }, plan, outcomes);
}

function nominate({ cluster, clock, settings }: PassContext, nodes: readonly string[]): void {
  if (nodes.length === 0) return;
  cluster.learn({ type: 'nominated', nodes, until: clock.now() + nominationWindow(settings) });
}

async function launch(
  context: PassContext,
  report: PassReport,
  { input }: PassInput,
  plan: Plan,
  outcomes: PlanOutcomes,
): Promise<void> {
  const { snapshot } = input;
  const varied = plan.newNodes.filter((planned) =>
    isVaried(context, report, { snapshot, planned, outcomes }),
  );
  const creations = await createNodeClaims(context, varied, { reason: 'provisioned', snapshot });
  for (const [index, creation] of creations.entries()) {
    if ((index + 1) % claimsPerTurn === 0) await setImmediate();
    const { nodePool, pods } = creation.planned;
    if ('error' in creation) {
      context.log.error('failed creating nodeclaim', {
        NodePool: { name: nodePool },
        ...errorFields(creation.error),
      });
      continue;
    }
    const created = outcomes.created(pods, nodePool, creation.nodeClaim.metadata.name);
    report.nominated(created.nominations);
    report.judged(created.judgements);
  }
}

/** Others have their turn before the pods of the next few claims are told. */
const claimsPerTurn = 20;

interface VarietyQuestion {
  readonly snapshot: PlanInput['snapshot'];
  readonly planned: PlannedNode;
  readonly outcomes: PlanOutcomes;
}

/** Whether the types that go on the NodeClaim are as different as the pool demands; its pods are told if not. */
function isVaried(
  { settings, vocabulary }: PassContext,
  report: PassReport,
  { snapshot, planned, outcomes }: VarietyQuestion,
): boolean {
  if (settings.minValuesPolicy !== 'Strict') return true;
  const types = snapshot.instanceTypes.get(planned.nodePool) ?? [];
  const message = lostVariety(planned, types, vocabulary.policy);
  if (message === undefined) return true;
  report.rejected(outcomes.real(planned.pods).map((pod) => ({ pod, message })));
  return false;
}

/** The room that buffers have on each node is told anew by every pass, and none of it outlives the gate. */
export async function settleBuffers(
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

function byId(id: string | undefined, count: number): readonly (readonly [string, number])[] {
  return id === undefined ? [] : [[id, count]];
}
