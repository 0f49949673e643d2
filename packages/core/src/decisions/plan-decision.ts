import { isUpcomingUid, type PlannedNode } from '../scheduling/index.ts';
import type { PlanDecision } from './decision.ts';
import { decisionBounds, shortened, shortText } from './decision-bounds.ts';
import type { DecisionDraft } from './decision-recorder.ts';
import {
  type CreatedNode,
  type PodNames,
  plannedNodeFacts,
  podFacts,
  podName,
} from './planned-node-facts.ts';
import type { NewNodeRecord, PlanRecord } from './replay-record.ts';
import { counted, hourlyText, joined } from './words.ts';

export interface DescribedPlan {
  readonly plan: Omit<PlanRecord, 'newNodes'> & {
    readonly newNodes: readonly (PlannedNode | NewNodeRecord)[];
  };
  /** All pods of the plan that exist, by uid. */
  readonly names: PodNames;
  readonly durationMs: number;
  /** By the new nodes of the plan. */
  readonly created: ReadonlyMap<PlannedNode | NewNodeRecord, CreatedNode>;
}

export function planDecision(described: DescribedPlan): DecisionDraft & { readonly kind: 'plan' } {
  const { plan, names, durationMs, created } = described;
  const newNodes = shortened(plan.newNodes, decisionBounds.newNodes);
  const placements = shortened(plan.placements, decisionBounds.placements);
  return {
    kind: 'plan',
    summary: planSummary(described),
    pods: names.size,
    durationMs,
    newNodes: newNodes.items.map((node) => plannedNodeFacts(node, created.get(node) ?? {}, names)),
    ...(newNodes.count !== undefined && { newNodeCount: newNodes.count }),
    placements: placements.items.map(({ node, pods }) => ({ node, ...podFacts(pods, names) })),
    ...(placements.count !== undefined && { placementCount: placements.count }),
    ...rejectedFacts(plan, names),
    hourly: priceOf(plan),
  };
}

function rejectedFacts(
  { rejections }: Pick<PlanRecord, 'rejections'>,
  names: PodNames,
): Pick<PlanDecision, 'rejected' | 'rejectedCount'> {
  const { items, count } = shortened(rejections, decisionBounds.rejected);
  const rejected = items.flatMap(({ pod: uid, message }) => {
    const pod = podName(uid, names);
    return pod === undefined ? [] : [{ pod, message: shortText(message) }];
  });
  return { rejected, ...(count !== undefined && { rejectedCount: count }) };
}

/** `12 pods: 10 on 2 new nodes ($0.384/h) sized for 5 more, 1 on existing nodes and 1 without a place`. */
function planSummary({ plan, names }: DescribedPlan): string {
  const upcoming = plan.newNodes.flatMap(({ pods }) => pods.filter(isUpcomingUid)).length;
  const onNew = podCount(plan.newNodes) - upcoming;
  const more = upcoming > 0 ? ` sized for ${upcoming} more` : '';
  const onExisting = podCount(plan.placements);
  const { rejections, deferred } = plan;
  const parts = [
    ...(onNew > 0
      ? [`${onNew} on ${counted(plan.newNodes.length, 'new node')} (${hourlyText(priceOf(plan))})${more}`]
      : []),
    ...(onExisting > 0 ? [`${onExisting} on ${counted(plan.placements.length, 'existing node')}`] : []),
    ...(rejections.length > 0 ? [`${rejections.length} without a place`] : []),
    ...(deferred.length > 0 ? [`${deferred.length} in the next plan`] : []),
  ];
  return `${counted(names.size, 'pod')}: ${parts.length === 0 ? 'nothing decided' : joined(parts)}`;
}

function podCount(places: readonly { readonly pods: readonly string[] }[]): number {
  return places.reduce((sum, { pods }) => sum + pods.length, 0);
}

function priceOf({ newNodes }: DescribedPlan['plan']): number {
  return newNodes.reduce((sum, { price }) => sum + price, 0);
}
