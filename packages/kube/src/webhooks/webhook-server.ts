import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream/promises';
import { durationMs } from '@karpenter/core/values';
import type { Clock } from '../runtime/clock.ts';
import { systemClock } from '../runtime/system-clock.ts';
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
  /** By path: `/validate`. */
  readonly admission?: Readonly<Record<string, AdmissionHandler>>;
  readonly conversion?: Readonly<Record<string, ConversionHandler>>;
  /** 0 for any that is free. */
  readonly port: number;
  readonly host?: string;
  readonly certificates?: CertificateStore;
  readonly clock?: Clock;
  /** CandidateMessage of handlers that threw and certificates that could not be renewed. */
  readonly onError?: (error: unknown) => void;
  /** CandidateMessage of the authorities to trust, first at the start and then whenever they change. */
  readonly onTrusted?: (caBundle: string) => void | Promise<void>;
}

export interface WebhookServer {
  readonly port: number;
  /** What a webhook configuration takes: the authorities to trust, as base64 of PEM. */
  readonly caBundle: string;
  /** Answers what is under way, then resolves. */
  close(): Promise<void>;
}

/** Objects have at most a few megabytes, and a review has the old and the new one. */
const largestBody = 16 * 1024 * 1024;
const retryRenewalMs = 60_000;
/** However far away the renewal is: another replica may have renewed. */
const longestSleepMs = 12 * 3_600_000;

/** Serves admission and conversion webhooks, and `/healthz` and `/readyz`, with certificates of its own. */
export async function startWebhookServer(options: WebhookServerOptions): Promise<WebhookServer> {
  const { clock = systemClock, certificates: store = memoryStore() } = options;
  const renew = () => store.update((present) => renewedCertificates(present, options, clock.now()));
  let certificates = await renew();
  const underWay = new Set<Promise<void>>();
  const server = createServer({ ...certificates.serving, minVersion: 'TLSv1.2' }, (request, response) => {
    const sent = finished(response).catch(() => {});
    const answered = answer(options, request, response)
      .then(() => sent)
      .finally(() => underWay.delete(answered));
    underWay.add(answered);
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
    close: () => close(server, stop, underWay),
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
    return Math.min(longestSleepMs, Math.max(0, renewalTime(certificates, options) - clock.now()));
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
  underWay: ReadonlySet<Promise<void>>,
): Promise<void> {
  stop.abort();
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  await Promise.all(underWay);
  // API servers also hold connections on which they have never asked anything: those count as busy.
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
    const isTheirs = error instanceof MalformedReview || error instanceof SyntaxError;
    if (!isTheirs) options.onError?.(error);
    send(response, isTheirs ? 400 : 500, error instanceof Error ? error.message : String(error));
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
    if (size > largestBody) throw new MalformedReview(`the body has more than ${largestBody} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, status: number, body: string | object): void {
  const isText = typeof body === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' });
  response.end(isText ? body : JSON.stringify(body));
}
