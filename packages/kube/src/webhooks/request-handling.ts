import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { requestUrl } from '../listening/index.ts';
import type { SliceClock } from '../yielding/index.ts';
import { BodyReader, RefusedRequest } from './request-body.ts';
import {
  type AdmissionHandler,
  type ConversionHandler,
  reviewAdmission,
  reviewConversion,
} from './review.ts';

/** Handlers by path, such as `/validate`. */
export interface ReviewHandlers {
  readonly admission?: Readonly<Record<string, AdmissionHandler>>;
  readonly conversion?: Readonly<Record<string, ConversionHandler>>;
}

interface HandlingOptions extends ReviewHandlers {
  readonly clock: SliceClock;
  /** Called with what handlers throw. */
  readonly onError?: (error: unknown) => void;
}

/** API servers take objects of up to 3 MiB, and an AdmissionReview has the old and the new one. */
const maxAdmissionBytes = 8 * 1024 * 1024;
/** A ConversionReview has all objects of a list. */
const maxConversionBytes = 16 * 1024 * 1024;

/** Handles webhook requests and tracks those in progress. */
export class RequestHandling {
  readonly inProgress = new Set<Promise<void>>();
  readonly #options: HandlingOptions;
  readonly #bodies = new BodyReader();

  constructor(options: HandlingOptions) {
    this.#options = options;
  }

  readonly answer = (request: IncomingMessage, response: ServerResponse): void => {
    const sent = finished(response).catch(() => {});
    const answered = this.#answer(request, response)
      .then(() => sent)
      .finally(() => this.inProgress.delete(answered));
    this.inProgress.add(answered);
  };

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const path = requestUrl(request).pathname;
      if (path === '/healthz' || path === '/readyz') return send(response, 200, 'ok');
      send(response, 200, await this.#review(path, request));
    } catch (error) {
      const status = statusOf(error);
      if (status === 500) this.#options.onError?.(error);
      // An unread rest of the body would be parsed as the next request on this connection.
      response.setHeader('connection', 'close');
      send(response, status, error instanceof Error ? error.message : String(error));
    }
  }

  async #review(path: string, request: IncomingMessage): Promise<object> {
    const reviewer = reviewerOf(this.#options, path);
    if (reviewer === undefined) throw new RefusedRequest(404, `nothing is served at ${path}`);
    const { review, maxBytes } = reviewer;
    if (request.method !== 'POST') throw new RefusedRequest(405, 'reviews are posted');
    if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
      throw new RefusedRequest(415, 'reviews are application/json');
    return review(parsed(await this.#bodies.read(request, maxBytes)));
  }
}

/** Only the text of the client makes a bad request; an error of the handler is an error of the server. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RefusedRequest(400, error instanceof Error ? error.message : String(error));
  }
}

function statusOf(error: unknown): number {
  return error instanceof RefusedRequest ? error.status : 500;
}

interface Reviewer {
  readonly review: (review: unknown) => Promise<object>;
  readonly maxBytes: number;
}

function reviewerOf(
  { admission = {}, conversion = {}, clock }: HandlingOptions,
  path: string,
): Reviewer | undefined {
  const admit = Object.hasOwn(admission, path) ? admission[path] : undefined;
  if (admit !== undefined)
    return { review: (review) => reviewAdmission(admit, review), maxBytes: maxAdmissionBytes };
  const convert = Object.hasOwn(conversion, path) ? conversion[path] : undefined;
  return (
    convert && { review: (review) => reviewConversion(convert, review, clock), maxBytes: maxConversionBytes }
  );
}

function send(response: ServerResponse, status: number, body: string | object): void {
  const isText = typeof body === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' });
  response.end(isText ? body : JSON.stringify(body));
}
