import type { Plan, PlanOptions, Snapshot } from '@karpenter/core/scheduling';
import { checkAccounting } from './accounting.ts';
import { checkAntiAffinity } from './anti-affinity.ts';
import { readCluster } from './cluster.ts';
import { checkDeferrals } from './deferrals.ts';
import { checkDisplacement } from './displacement.ts';
import { Domains } from './domains.ts';
import { checkExistingNode } from './existing-nodes.ts';
import { checkLimits } from './limits.ts';
import { checkNewNode } from './new-nodes.ts';
import { readPlan } from './plan-facts.ts';
import { checkPodAffinity } from './pod-affinity.ts';
import { checkMinValues, checkPrices } from './prices.ts';
import { checkRejections } from './rejections.ts';
import { checkReservations } from './reservations.ts';
import { checkSpread } from './spread.ts';
import { SpreadConstraints } from './spread-constraint.ts';
import { TopologyState } from './topology-state.ts';
import type { Violation } from './violation.ts';
import { checkWeights } from './weights.ts';

/** Returns every violation of the rules of placement in a plan, by the rules alone. */
export function checkPlan(snapshot: Snapshot, plan: Plan, options: PlanOptions): readonly Violation[] {
  const cluster = readCluster(snapshot, options);
  const facts = readPlan(cluster, plan);
  const domains = new Domains(cluster);
  const constraints = new SpreadConstraints(cluster, domains);
  const topology = new TopologyState(facts, constraints, domains);
  return [
    ...checkAccounting(cluster, plan),
    ...facts.existing.flatMap((location) => checkExistingNode(location, cluster)),
    ...facts.fresh.flatMap((location) => [
      ...checkNewNode(location, cluster),
      ...checkPrices(location),
      ...checkMinValues(location, cluster),
    ]),
    ...checkLimits(facts),
    ...checkReservations(facts),
    ...checkDeferrals(facts, topology),
    ...checkAntiAffinity(facts, domains),
    ...checkPodAffinity(facts, domains),
    ...checkSpread(facts, constraints, domains),
    ...checkWeights(facts),
    ...checkRejections(facts, topology, domains),
    ...checkDisplacement(cluster, plan),
  ];
}
