import { type DurationMs, durationMs } from '@karpenter/core/values';
import {
  createAuthority,
  createLeaf,
  expiryOf,
  isFor,
  isPair,
  isRunningOut,
  isSignedBy,
  type KeyedCertificate,
} from '../certificates/index.ts';
import type { Instant } from '../runtime/index.ts';

/**
 * Certificates of a webhook server and the CA bundle for its
 * callers. All PEM text, so that a Secret can hold them.
 */
export interface ServingCertificates {
  readonly authority: KeyedCertificate;
  readonly serving: KeyedCertificate;
  /** The next CA. It is in the bundle and signs nothing before every caller has the bundle. */
  readonly next?: KeyedCertificate | undefined;
  /** CA bundle as PEM: the CA, the next one, and earlier ones that a replica may still serve. */
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

export interface Renewal {
  readonly plan: CertificatePlan;
  readonly now: Instant;
  /** Whether every caller has had the bundle of the present certificates for some time. */
  readonly isTrusted: boolean;
  /** A bundle that callers have now; its CAs stay in a new one. */
  readonly callersTrust?: string | undefined;
}

const day = 86_400_000;
/** Renews a certificate when less than this share of its lifetime is left. */
const renewAtShare = 1 / 3;

/**
 * Returns the present certificates while they are valid for long enough, otherwise renewed ones. A CA is
 * replaced in two steps, so that callers always trust the serving certificate: the next CA is added to the bundle
 * first, and signs only after all callers have that bundle.
 */
export function renewedCertificates(
  present: ServingCertificates | undefined,
  renewal: Renewal,
): ServingCertificates {
  if (present === undefined || !isPair(present.authority)) return firstCertificates(renewal, present);
  const { authority, next, trusted } = withRenewedAuthority(present, renewal);
  if (renewal.now >= expiryOf(authority.cert)) return firstCertificates(renewal, present);
  const isKept = authority === present.authority && isGoodLeaf(present.serving, authority, renewal);
  const serving = isKept ? present.serving : issue(authority, renewal);
  const isUnchanged = isKept && next === present.next && trusted === present.trusted;
  return isUnchanged ? present : { authority, serving, trusted, ...(next && { next }) };
}

type Authorities = Omit<ServingCertificates, 'serving'>;

function withRenewedAuthority(present: ServingCertificates, renewal: Renewal): Authorities {
  const { authority, next, trusted } = present;
  const { now, isTrusted } = renewal;
  if (next !== undefined && isPair(next)) {
    const isTime = isTrusted || now >= expiryOf(authority.cert);
    return isTime
      ? { authority: next, trusted: bundle(now, next.cert, authority.cert, trusted) }
      : { authority, next, trusted: bundle(now, authority.cert, next.cert, trusted) };
  }
  if (!isRunningOut(authority.cert, renewAtShare, now))
    return { authority, trusted: bundle(now, authority.cert, trusted) };
  const created = newAuthority(renewal);
  return { authority, next: created, trusted: bundle(now, authority.cert, created.cert, trusted) };
}

/** Issues everything anew, at the first start or after certificates were lost, damaged or expired. */
function firstCertificates(renewal: Renewal, present: ServingCertificates | undefined): ServingCertificates {
  const authority = newAuthority(renewal);
  const { now, callersTrust = '' } = renewal;
  const trusted = bundle(now, authority.cert, callersTrust, present?.trusted ?? '');
  return { authority, serving: issue(authority, renewal), trusted };
}

function newAuthority({ plan, now }: Renewal): KeyedCertificate {
  const { names, authorityLasts: lasts = durationMs(3650 * day) } = plan;
  return createAuthority(`${names[0] ?? 'webhook'} authority`, { from: now, lasts });
}

/** A certificate must not outlive its CA. */
function issue(authority: KeyedCertificate, { plan, now }: Renewal): KeyedCertificate {
  const { names, servingLasts = durationMs(365 * day) } = plan;
  const lasts = durationMs(Math.min(servingLasts, expiryOf(authority.cert) - now));
  const commonName = names[0] ?? 'webhook';
  return createLeaf(authority, { from: now, lasts, commonName, usage: 'server', names });
}

function isGoodLeaf(serving: KeyedCertificate, authority: KeyedCertificate, renewal: Renewal): boolean {
  const { plan, now } = renewal;
  return (
    isPair(serving) &&
    isSignedBy(serving.cert, authority.cert) &&
    !isRunningOut(serving.cert, renewAtShare, now) &&
    plan.names.every((name) => isFor(serving.cert, name))
  );
}

const pemBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** All certificates of these texts that have not expired, each once. */
function bundle(now: Instant, ...texts: readonly string[]): string {
  const blocks = new Set(texts.flatMap((text) => text.match(pemBlock) ?? []));
  return [...blocks]
    .filter((block) => isUnexpired(block, now))
    .map((block) => `${block}\n`)
    .join('');
}

function isUnexpired(cert: string, now: Instant): boolean {
  try {
    return now < expiryOf(cert);
  } catch {
    return false;
  }
}
