import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream/promises';
import { durationMs } from '@karpenter/core/values';
import type { Clock } from '../runtime/index.ts';
import { systemClock } from '../runtime/index.ts';
import { type CertificateStore, memoryStore } from './certificate-store.ts';
import {
  type AdmissionHandler,
  type ConversionHandler,
  MalformedReview,
  reviewAdmission,
  reviewConversion,
} from './review.ts';
import {
  type CertificatePlan,
  renewalTime,
  renewedCertificates,
  type ServingCertificates,
} from './serving-certificate.ts';

export interface WebhookServerOptions extends CertificatePlan {
  /** Handlers by path, such as `/validate`. */
  readonly admission?: Readonly<Record<string, AdmissionHandler>>;
  readonly conversion?: Readonly<Record<string, ConversionHandler>>;
  /** 0 picks a free port. */
  readonly port: number;
  readonly host?: string;
  readonly certificates?: CertificateStore;
  readonly clock?: Clock;
  /** Called with what handlers throw and with failed renewals. */
  readonly onError?: (error: unknown) => void;
  /** Called with the CA bundle at the start and whenever it changes, to update webhook configurations. */
  readonly onTrusted?: (caBundle: string) => void | Promise<void>;
}

export interface WebhookServer {
  readonly port: number;
  /** CA bundle for a webhook configuration: base64 of PEM. */
  readonly caBundle: string;
  /** Stops listening and resolves when the requests in progress are answered. */
  close(): Promise<void>;
}

/** An object has at most a few megabytes, and a review contains the old and the new one. */
const maxBodyBytes = 16 * 1024 * 1024;
const retryRenewalMs = 60_000;
/** Longest time between two looks at the store, because another replica may have renewed the certificates. */
const maxSleepMs = 12 * 3_600_000;

/**
 * Starts a server for admission and conversion webhooks, `/healthz` and `/readyz`. It issues its own
 * certificates and replaces them without a restart. Rejects if the certificates cannot be loaded or the port
 * is taken; later failures go to `onError` and are retried.
 */
export async function startWebhookServer(options: WebhookServerOptions): Promise<WebhookServer> {
  const { clock = systemClock, certificates: store = memoryStore() } = options;
  const renew = () => store.update((present) => renewedCertificates(present, options, clock.now()));
  let certificates = await renew();
  const inProgress = new Set<Promise<void>>();
  const server = createServer({ ...certificates.serving, minVersion: 'TLSv1.2' }, (request, response) => {
    const sent = finished(response).catch(() => {});
    const answered = answer(options, request, response)
      .then(() => sent)
      .finally(() => inProgress.delete(answered));
    inProgress.add(answered);
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  await options.onTrusted?.(caBundle(certificates));
  const stop = new AbortController();
  void keepRenewing();
  return {
    port: (server.address() as AddressInfo).port,
    get caBundle() {
      return caBundle(certificates);
    },
    close: () => close(server, stop, inProgress),
  };

  async function keepRenewing(): Promise<void> {
    let wait = untilRenewal();
    for (;;) {
      await clock.sleep(durationMs(wait), stop.signal);
      if (stop.signal.aborted) return;
      wait = await renewNow().then(untilRenewal, failed);
    }
  }

  async function renewNow(): Promise<void> {
    const before = certificates;
    certificates = await renew();
    if (certificates.serving.cert !== before.serving.cert) server.setSecureContext(certificates.serving);
    if (certificates.trusted !== before.trusted) await options.onTrusted?.(caBundle(certificates));
  }

  function untilRenewal(): number {
    return Math.min(maxSleepMs, Math.max(0, renewalTime(certificates, options) - clock.now()));
  }

  function failed(error: unknown): number {
    options.onError?.(error);
    return retryRenewalMs;
  }
}

function caBundle({ trusted }: ServingCertificates): string {
  return Buffer.from(trusted, 'utf8').toString('base64');
}

async function close(
  server: Server,
  stop: AbortController,
  inProgress: ReadonlySet<Promise<void>>,
): Promise<void> {
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

async function answer(
  options: WebhookServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const path = new URL(request.url ?? '/', 'https://localhost').pathname;
    if (path === '/healthz' || path === '/readyz') return send(response, 200, 'ok');
    const review = reviewerOf(options, path);
    if (review === undefined) return send(response, 404, `nothing is served at ${path}`);
    if (request.method !== 'POST') return send(response, 405, 'reviews are posted');
    send(response, 200, await review(JSON.parse(await readBody(request))));
  } catch (error) {
    const isBadRequest = error instanceof MalformedReview || error instanceof SyntaxError;
    if (!isBadRequest) options.onError?.(error);
    send(response, isBadRequest ? 400 : 500, error instanceof Error ? error.message : String(error));
  }
}

function reviewerOf(
  { admission = {}, conversion = {} }: WebhookServerOptions,
  path: string,
): ((review: unknown) => Promise<object>) | undefined {
  const [admit, convert] = [admission[path], conversion[path]];
  if (admit !== undefined) return (review) => reviewAdmission(admit, review);
  return convert && ((review) => reviewConversion(convert, review));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new MalformedReview(`the body has more than ${maxBodyBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, status: number, body: string | object): void {
  const isText = typeof body === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' });
  response.end(isText ? body : JSON.stringify(body));
}
