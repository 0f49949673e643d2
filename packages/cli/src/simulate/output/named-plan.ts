import type { Plan } from '@karpenter/core/scheduling';
import type { Simulated } from '../simulation.ts';
import { podNames } from './pod-names.ts';

/** The plan with names of pods instead of their uids. */
export function namedPlan({ plan, snapshot }: Simulated): Omit<Plan, 'revision'> {
  const names = podNames(snapshot);
  const named = (uids: readonly string[]) => uids.map((uid) => names.get(uid) ?? uid);
  return {
    newNodes: plan.newNodes.map((node) => ({ ...node, pods: named(node.pods) })),
    placements: plan.placements.map(({ node, pods }) => ({ node, pods: named(pods) })),
    rejections: plan.rejections.map(({ pod, ...rest }) => ({ pod: names.get(pod) ?? pod, ...rest })),
    deferred: named(plan.deferred),
    unevaluated: named(plan.unevaluated),
  };
}
