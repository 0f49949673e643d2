import { CodedError } from '@karpenter/core/errors';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { Clock, TokenBucket, WriteFence } from '../runtime/index.ts';
import { ApiError, isDisruptionBudgetRefusal, statusFrom } from './api-error.ts';
import { bodyBytes } from './body-bytes.ts';
import type { ClusterConfig } from './cluster-config.ts';
import { ConnectionError } from './connection-error.ts';
import { RefusedStream } from './http2-transport.ts';
import { type RequestDeadline, RequestDeadlines } from './request-deadlines.ts';
import type { HttpResponse, Transport } from './transport.ts';

/** One request to an API server. */
export interface ApiCall {
  /** For messages, after `cannot`: `get pods "web" in namespace "shop"`. */
  readonly action: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
  /** The answer goes on until somebody ends it. */
  readonly isLasting?: boolean;
  /** Does not count against the limit on requests a second, nor waits for it. */
  readonly isUnlimited?: boolean;
}

/** What happened to a request, for metrics. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** Absent when no answer came. */
  readonly status?: number;
  readonly duration: DurationMs;
}

export interface SenderOptions {
  readonly config: ClusterConfig;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly limiter: TokenBucket;
  readonly userAgent: string;
  readonly requestTimeout: DurationMs;
  readonly fence?: WriteFence | undefined;
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
}

/** An answer of which the body is still to come. The deadline holds until it is released. */
export interface OpenAnswer {
  readonly response: HttpResponse;
  readonly deadline: RequestDeadline;
}

const mostRetries = 10;

/** Sends calls one by one: takes a turn, proves who asks, waits when the server asks for it, tells errors apart. */
export class RequestSender {
  readonly #options: SenderOptions;
  readonly #basePath: string;
  readonly #deadlines: RequestDeadlines;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#basePath = new URL(options.config.server).pathname.replace(/\/$/, '');
    this.#deadlines = new RequestDeadlines(options.clock);
  }

  /** The body of a good answer: parsed if it is JSON, else its text. */
  async json(call: ApiCall): Promise<unknown> {
    for (let lost = 0; ; lost += 1) {
      const { response, deadline } = await this.open(call, this.#options.requestTimeout);
      try {
        return await readBody(call, response);
      } catch (error) {
        if (lost > 0 || call.method !== 'GET' || call.signal?.aborted)
          throw this.#failure(call, error, deadline);
      } finally {
        deadline.release();
      }
    }
  }

  /** Sends until there is a good answer, a final error, or no patience left. */
  async open(call: ApiCall, timeout: DurationMs): Promise<OpenAnswer> {
    const tries = { lost: 0, delayed: 0, renewed: false };
    for (;;) {
      if (!call.isUnlimited) await this.#options.limiter.take(call.signal);
      const deadline = this.#deadlines.start(timeout, call.signal);
      try {
        const response = await this.#exchange(call, deadline);
        if (response.status < 400) return { response, deadline };
        const error = await readError(call, response);
        await this.#settle(call, error, tries);
      } catch (error) {
        const failure = this.#failure(call, error, deadline);
        if (!mayRepeat(call, failure) || tries.lost > 0) throw failure;
        tries.lost += 1;
      }
      deadline.release();
    }
  }

  /** Returns when the call may be sent again after the error, throws the error when not. */
  async #settle(call: ApiCall, error: ApiError, tries: { delayed: number; renewed: boolean }): Promise<void> {
    if (error.status === 401 && !tries.renewed && this.#options.config.credentials?.renew?.() === true) {
      tries.renewed = true;
      return;
    }
    if (!asksToWait(error) || tries.delayed >= mostRetries) throw error;
    tries.delayed += 1;
    await this.#options.clock.sleep(error.retryAfter ?? durationMs(0), call.signal);
  }

  async #exchange(call: ApiCall, cancellation: RequestDeadline): Promise<HttpResponse> {
    const { clock, transport, onExchange } = this.#options;
    const { method, isLasting = false } = call;
    const path = this.#basePath + call.path;
    const beforeSend = this.#guard(method);
    // Nothing is worth waiting for credentials or a connection if it may not be sent.
    beforeSend?.();
    const headers = await this.#headers(call);
    const body = call.body === undefined ? {} : { body: JSON.stringify(call.body) };
    if (cancellation.reason !== undefined) throw cancellation.reason;
    const started = clock.now();
    const report = (status?: number) =>
      onExchange?.({
        method,
        path: call.path,
        duration: durationMs(clock.now() - started),
        ...(status === undefined ? {} : { status }),
      });
    try {
      const response = await transport.send({
        method,
        path,
        headers,
        cancellation,
        isLasting,
        beforeSend,
        ...body,
      });
      report(response.status);
      return response;
    } catch (error) {
      report();
      throw error;
    }
  }

  #guard(method: string): (() => void) | undefined {
    const { fence } = this.#options;
    return method === 'GET' || fence === undefined ? undefined : () => fence.check();
  }

  async #headers(call: ApiCall): Promise<Readonly<Record<string, string>>> {
    const credentials = await this.#options.config.credentials?.current();
    return {
      accept: 'application/json',
      'user-agent': this.#options.userAgent,
      ...credentials?.headers,
      ...(credentials?.authorization === undefined ? {} : { authorization: credentials.authorization }),
      ...(call.body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' }),
    };
  }

  #failure(call: ApiCall, error: unknown, deadline: RequestDeadline): CodedError {
    deadline.release();
    if (error instanceof CodedError) return error;
    if (deadline.expired) return new ConnectionError(call.action, 'the server took too long to answer');
    if (call.signal?.aborted) return new ConnectionError(call.action, 'the request was given up');
    return new ConnectionError(call.action, error, { unsent: error instanceof RefusedStream });
  }
}

/** Asking twice does no harm when it is only asking, or when the first was surely not heard. */
function mayRepeat(call: ApiCall, failure: CodedError): boolean {
  if (!(failure instanceof ConnectionError) || call.signal?.aborted) return false;
  return failure.unsent || call.method === 'GET';
}

/** A budget that forbids an eviction may do so for hours; whoever evicts decides how long to wait. */
function asksToWait(error: ApiError): boolean {
  if (error.retryAfter === undefined || (error.status !== 429 && error.status < 500)) return false;
  return !isDisruptionBudgetRefusal(error);
}

async function readBody(call: ApiCall, { header, body }: HttpResponse): Promise<unknown> {
  const bytes = await bodyBytes(body);
  const text = bytes.toString('utf8');
  if (!header('content-type')?.includes('json')) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new ConnectionError(call.action, `the answer broke off after ${bytes.length} bytes`);
  }
}

async function readError(call: ApiCall, response: HttpResponse): Promise<ApiError> {
  const seconds = Number.parseInt(response.header('retry-after') ?? '', 10);
  const text = (await bodyBytes(response.body)).toString('utf8');
  const status = statusFrom(response.status, parsed(text), Number.isNaN(seconds) ? undefined : seconds);
  return new ApiError(call.action, status);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
