import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { Lease } from 'kubernetes-types/coordination/v1.js';
import type { Instant } from '../clock/index.ts';

interface LeaseHolder {
  readonly identity: string;
  readonly now: Instant;
  readonly duration: DurationMs;
}

/** The Lease as a candidate writes it when it acquires or renews it. */
export function heldLease(lease: Lease, { identity, now, duration }: LeaseHolder): Lease {
  const { spec = {} } = lease;
  const isMine = spec.holderIdentity === identity;
  const transitions = spec.leaseTransitions ?? 0;
  return {
    ...lease,
    spec: {
      ...spec,
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(duration / 1000),
      acquireTime: isMine && spec.acquireTime !== undefined ? spec.acquireTime : microTime(now),
      renewTime: microTime(now),
      leaseTransitions: isMine || spec.holderIdentity === undefined ? transitions : transitions + 1,
    },
  };
}

/** The Lease without a holder, so that other candidates need not wait for its expiry. */
export function releasedLease(lease: Lease, now: Instant): Lease {
  return {
    ...lease,
    spec: { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: microTime(now) },
  };
}

/** Time after an observed renewal in which other candidates must not take the lease. */
export function leaseDurationOf({ spec }: Lease): DurationMs {
  return durationMs((spec?.leaseDurationSeconds ?? 0) * 1000);
}

/** Formats a `MicroTime`, which the API server refuses without microseconds. */
function microTime(at: Instant): string {
  return new Date(at).toISOString().replace('Z', '000Z');
}
