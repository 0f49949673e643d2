import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { Clock, Instant } from '../runtime/index.ts';
import type { CertificateStore } from './certificate-store.ts';
import {
  type CertificatePlan,
  renewedCertificates,
  type ServingCertificates,
} from './serving-certificate.ts';

/** Publishes the CA bundle, in base64, to API servers. Returns whether it had to be written. Rejects if that fails. */
export type BundlePublisher = (caBundle: string) => Promise<'unchanged' | 'written'>;

export interface KeeperOptions extends CertificatePlan {
  readonly store: CertificateStore;
  readonly publish: BundlePublisher;
  readonly clock: Pick<Clock, 'now'>;
  /** How long callers must have had a bundle before its next CA signs. Defaults to ten minutes. */
  readonly overlap?: DurationMs;
  readonly onError: (error: unknown) => void;
}

const defaultOverlap = durationMs(600_000);

/** Keeps the certificates of one replica equal to the stored ones, renews those, and publishes the CA bundle. */
export class CertificateKeeper {
  readonly #options: KeeperOptions;
  #current: ServingCertificates | undefined;
  /** The bundle that callers have, and since when, as far as this replica knows. */
  #published: { readonly bundle: string; readonly since: Instant } | undefined;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /**
   * Returns the certificates to serve from now on, after their CA bundle is published. Rejects if they cannot be read
   * or stored. A failure to publish goes to `onError`, because API servers that have the bundle can still call.
   */
  async sync(): Promise<ServingCertificates> {
    const { store, clock, ...plan } = this.#options;
    const certificates = await store.update((present) =>
      renewedCertificates(present, {
        plan,
        now: clock.now(),
        isTrusted: this.#isTrusted(present),
        callersTrust: this.#current?.trusted,
      }),
    );
    await this.#publish(certificates.trusted);
    this.#current = certificates;
    return certificates;
  }

  #isTrusted(present: ServingCertificates | undefined): boolean {
    const { clock, overlap = defaultOverlap } = this.#options;
    if (this.#published === undefined || this.#published.bundle !== present?.trusted) return false;
    return clock.now() - this.#published.since >= overlap;
  }

  async #publish(bundle: string): Promise<void> {
    const { publish, clock, onError } = this.#options;
    try {
      const outcome = await publish(encodedBundle(bundle));
      const isKnown = this.#published?.bundle === bundle && outcome === 'unchanged';
      if (!isKnown) this.#published = { bundle, since: clock.now() };
    } catch (error) {
      this.#published = undefined;
      onError(error);
    }
  }
}

/** A CA bundle as webhook configurations have it. */
export function encodedBundle(pem: string): string {
  return Buffer.from(pem, 'utf8').toString('base64');
}
