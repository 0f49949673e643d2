import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import { listenOn } from '../listening/index.ts';
import type { Clock } from '../runtime/index.ts';
import { systemClock } from '../runtime/index.ts';
import { type BundlePublisher, CertificateKeeper, encodedBundle } from './certificate-keeper.ts';
import { type CertificateStore, memoryStore } from './certificate-store.ts';
import { RequestHandling, type ReviewHandlers } from './request-handling.ts';
import type { CertificatePlan } from './serving-certificate.ts';

export interface WebhookServerOptions extends CertificatePlan, ReviewHandlers {
  /** 0 picks a free port. */
  readonly port: number;
  readonly host?: string;
  readonly certificates?: CertificateStore;
  readonly clock?: Clock;
  /** How long callers must have had a bundle before its next CA signs. Defaults to ten minutes. */
  readonly overlap?: DurationMs;
  /** Called with what handlers throw and with failures to renew or publish certificates. */
  readonly onError?: (error: unknown) => void;
  /** Publishes the CA bundle, by updating webhook configurations. Called at the start and every minute. */
  readonly publish?: BundlePublisher;
}

export interface WebhookServer {
  readonly port: number;
  /** CA bundle for a webhook configuration: base64 of PEM. */
  readonly caBundle: string;
  /** Stops listening and resolves when the requests in progress are finished. */
  close(): Promise<void>;
}

/**
 * Interval at which the stored certificates and the published bundle are checked: another replica may renew the
 * certificates, and applying a webhook configuration from a file removes the bundle.
 */
const syncEvery = durationMs(60_000);
/** API servers time out after at most 30 s, so a slower request only occupies a connection. */
const requestTimeoutMs = 30_000;

/**
 * Starts a server for admission and conversion webhooks, `/healthz` and `/readyz`. It issues its own
 * certificates and replaces them without a restart. Rejects if the certificates cannot be loaded or the port
 * is taken; later failures go to `onError` and are retried.
 */
export async function startWebhookServer(options: WebhookServerOptions): Promise<WebhookServer> {
  const { clock = systemClock, certificates: store = memoryStore(), onError = () => {} } = options;
  const publish = options.publish ?? (async () => 'unchanged' as const);
  const keeper = new CertificateKeeper({ ...options, store, clock, publish, onError });
  let certificates = await keeper.sync();
  const requests = new RequestHandling({ ...options, clock });
  const server = createServer({ ...certificates.serving, minVersion: 'TLSv1.2' }, requests.answer);
  server.requestTimeout = requestTimeoutMs;
  const { port: wanted, host } = options;
  const port = await listenOn(server, {
    port: wanted,
    host,
    sentence: (why) => `cannot listen on port ${wanted} for webhooks: ${why}; choose another port`,
  });
  server.on('error', onError);
  const stop = new AbortController();
  void keepSyncing();
  return {
    port,
    get caBundle() {
      return encodedBundle(certificates.trusted);
    },
    close: () => close(server, stop, requests),
  };

  async function keepSyncing(): Promise<void> {
    for (;;) {
      await clock.sleep(syncEvery, stop.signal);
      if (stop.signal.aborted) return;
      await sync().catch(onError);
    }
  }

  async function sync(): Promise<void> {
    const { cert } = certificates.serving;
    certificates = await keeper.sync();
    if (certificates.serving.cert !== cert) server.setSecureContext(certificates.serving);
  }
}

async function close(server: Server, stop: AbortController, { inProgress }: RequestHandling): Promise<void> {
  stop.abort();
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  await Promise.all(inProgress);
  // Node counts connections that never carried a request as busy, and API servers keep such connections open.
  server.closeAllConnections();
  await closed;
}
