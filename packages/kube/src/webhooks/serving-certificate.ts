import { type DurationMs, durationMs } from '@karpenter/core/values';
import { createAuthority, createLeaf, expiryOf, type KeyedCertificate } from '../certificates/index.ts';
import type { Instant } from '../runtime/clock.ts';

/** All that a webhook server needs, and whoever calls it to trust it. Texts, so that a Secret can hold them. */
export interface ServingCertificates {
  readonly authority: KeyedCertificate;
  readonly serving: KeyedCertificate;
  /** The authorities to trust, as PEM: this one and, after it changed, the one before. */
  readonly trusted: string;
}

export interface CertificatePlan {
  /** `karpenter.kube-system.svc`, as the API server calls it. */
  readonly names: readonly string[];
  /** Defaults to ten years. */
  readonly authorityLasts?: DurationMs;
  /** Defaults to a year. */
  readonly servingLasts?: DurationMs;
}

const day = 86_400_000;
/** Renewed when less than this part of its life is left. */
const renewAtShare = 1 / 3;

/** What to serve with from now on: what there is while it is good for long enough, else something newer. */
export function renewedCertificates(
  present: ServingCertificates | undefined,
  plan: CertificatePlan,
  now: Instant,
): ServingCertificates {
  const { authorityLasts = durationMs(3650 * day), servingLasts = durationMs(365 * day), names } = plan;
  const keepsAuthority = present !== undefined && isGood(present.authority, authorityLasts, now);
  if (keepsAuthority && isGood(present.serving, servingLasts, now)) return present;
  const authority = keepsAuthority
    ? present.authority
    : createAuthority(`${names[0] ?? 'webhook'} authority`, { from: now, lasts: authorityLasts });
  const commonName = names[0] ?? 'webhook';
  const serving = createLeaf(authority, {
    from: now,
    lasts: servingLasts,
    commonName,
    usage: 'server',
    names,
  });
  const before = present === undefined || keepsAuthority ? '' : present.authority.cert;
  return { authority, serving, trusted: keepsAuthority ? present.trusted : authority.cert + before };
}

/** When to look again whether something must be renewed. */
export function renewalTime({ authority, serving }: ServingCertificates, plan: CertificatePlan): Instant {
  const { authorityLasts = durationMs(3650 * day), servingLasts = durationMs(365 * day) } = plan;
  return Math.min(
    expiryOf(authority.cert) - authorityLasts * renewAtShare,
    expiryOf(serving.cert) - servingLasts * renewAtShare,
  );
}

function isGood({ cert }: KeyedCertificate, lasts: DurationMs, now: Instant): boolean {
  return now < expiryOf(cert) - lasts * renewAtShare;
}
