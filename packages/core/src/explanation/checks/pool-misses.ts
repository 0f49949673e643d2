import type { NodePool } from '../../api/index.ts';
import { isPoolReady } from '../../provisioning/index.ts';
import type { FailedCheck, PoolRejection, Rejection } from '../../scheduling/index.ts';
import type { ClusterPod } from '../../state/index.ts';
import { dynamicPools } from '../changes/candidate-changes.ts';
import { obstacleOf } from '../changes/pool-changes.ts';
import type { Finding } from '../explanation.ts';
import type { ExplainedCluster } from '../situation.ts';
import { blocked } from '../wording.ts';
import { asksFor, checkFindings } from './check-findings.ts';
import { type PodAndPool, poolRejection, withoutCheck } from './pool-trial.ts';
import { excessRatio } from './resource-findings.ts';

/** What keeps a NodePool from creating a node for the pod. */
export interface PoolMiss {
  readonly pool: NodePool;
  readonly findings: readonly Finding[];
}

/** All NodePools, the nearest miss first: the fewest failed checks, then the smallest excess of requests. */
export function poolMisses(
  explained: ExplainedCluster,
  pod: ClusterPod,
  rejection?: Rejection,
): readonly PoolMiss[] {
  const misses = dynamicPools(explained).map((pool) => {
    const reason = rejection?.reasons.find(({ nodePool }) => nodePool === pool.metadata.name);
    return {
      pool,
      findings: [...readinessFindings(pool), ...failedChecks(explained, { pod, pool }, reason)],
      excess: excessRatio(explained, { pod, pool }),
    };
  });
  return misses.toSorted((a, b) => a.findings.length - b.findings.length || a.excess - b.excess);
}

function readinessFindings(pool: NodePool): readonly Finding[] {
  return isPoolReady(pool) ? [] : [blocked(`the NodePool is not ready: ${obstacleOf(pool)}`)];
}

/**
 * The planner reports the first check that fails. To see the others, each is taken away from pod and pool once it
 * was reported. `reason` is that of the plan with all pods: alone, the pod may fit into limits that others use up.
 */
function failedChecks(
  explained: ExplainedCluster,
  tried: PodAndPool,
  reason: PoolRejection | undefined,
): readonly Finding[] {
  const findings: Finding[] = [];
  const seen = new Set<FailedCheck>();
  let current = tried;
  for (let rejection = poolRejection(explained, tried); rejection !== undefined; ) {
    const check = nextCheck(rejection, seen, current.pod);
    if (check === undefined) break;
    findings.push(...checkFindings(check, { explained, rejection, ...current }));
    seen.add(check);
    current = withoutCheck[check](current);
    rejection = poolRejection(explained, current);
  }
  if (findings.length > 0 || reason === undefined) return findings;
  const isLimited = reason.failed.includes('limits');
  const words = isLimited ? 'other pending pods use up what is left of its limits' : reason.message;
  return [blocked(words)];
}

/** A check that was not taken away yet; one that fails in spite of that ends the list. */
function nextCheck(
  { failed }: PoolRejection,
  seen: ReadonlySet<FailedCheck>,
  pod: ClusterPod,
): FailedCheck | undefined {
  const open = failed.filter((check) => !seen.has(check));
  return open.find((check) => asksFor(check, pod)) ?? open[0];
}
