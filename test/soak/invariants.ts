import type { NodeClaim } from '@karpenter/core/api';
import type { Pod } from 'kubernetes-types/core/v1.js';

/** A cluster at one moment. Times are in milliseconds since 1970. */
export interface Moment {
  readonly now: number;
  /** Since when nothing was wrong with the account, the API server and the controllers. */
  readonly calmSince: number;
  readonly claims: readonly NodeClaim[];
  readonly pods: readonly Pod[];
  /** Instances that are pending or running, and when they were launched. */
  readonly instances: ReadonlyMap<string, number>;
}

/** How long recovery may take on a calm cluster. Registration alone has 15 minutes before it is given up. */
export const patience = { pending: 20 * 60_000, deletion: 30 * 60_000, orphan: 20 * 60_000 };

/** What must not be so, in sentences. */
export function violationsAt(moment: Moment): readonly string[] {
  return [...stuckPods(moment), ...stuckClaims(moment), ...orphans(moment)];
}

function stuckPods({ now, calmSince, pods }: Moment): readonly string[] {
  return pods
    .filter(({ metadata, status }) => {
      const since = Math.max(calmSince, timeOf(metadata?.creationTimestamp));
      return status?.phase === 'Pending' && now - since > patience.pending;
    })
    .map(({ metadata }) => `pod ${metadata?.name} is pending since ${metadata?.creationTimestamp}`);
}

function stuckClaims({ now, calmSince, claims }: Moment): readonly string[] {
  return claims
    .filter(({ metadata: { deletionTimestamp } }) => {
      const since = Math.max(calmSince, timeOf(deletionTimestamp));
      return deletionTimestamp !== undefined && now - since > patience.deletion;
    })
    .map(({ metadata }) => `nodeclaim ${metadata.name} is being deleted since ${metadata.deletionTimestamp}`);
}

function orphans({ now, calmSince, claims, instances }: Moment): readonly string[] {
  const owned = new Set(claims.map(({ status }) => status?.providerID?.split('/').at(-1)));
  return [...instances]
    .filter(([id, launched]) => !owned.has(id) && now - Math.max(calmSince, launched) > patience.orphan)
    .map(
      ([id, launched]) => `instance ${id}, launched at ${new Date(launched).toISOString()}, has no nodeclaim`,
    );
}

function timeOf(timestamp: string | undefined): number {
  return timestamp === undefined ? 0 : Date.parse(timestamp);
}
