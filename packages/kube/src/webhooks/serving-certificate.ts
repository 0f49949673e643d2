import { type DurationMs, durationMs } from '@karpenter/core/values';
import { createAuthority, createLeaf, expiryOf, type KeyedCertificate } from '../certificates/index.ts';
import type { Instant } from '../runtime/index.ts';

/**
 * Certificates of a webhook server and the CA bundle for its
 * callers. All PEM text, so that a Secret can hold them.
 */
export interface ServingCertificates {
  readonly authority: KeyedCertificate;
  readonly serving: KeyedCertificate;
  /**
   * CA bundle as PEM: the current CA and, after a change, the previous one, so that no replica is locked out.
   */
  readonly trusted: string;
}

/** What to issue. */
export interface CertificatePlan {
  /** Host names that callers use, such as `karpenter.kube-system.svc`. */
  readonly names: readonly string[];
  /** Defaults to ten years. */
  readonly authorityLasts?: DurationMs;
  /** Defaults to a year. */
  readonly servingLasts?: DurationMs;
}

const day = 86_400_000;
/** Renews a certificate when less than this share of its lifetime is left. */
const renewAtShare = 1 / 3;

/** Returns the present certificates while they are valid for long enough, otherwise renewed ones. */
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

/** Returns when the next renewal is due. */
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
