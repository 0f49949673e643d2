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
  /** Completes error messages that begin with `cannot`: `get pods "web" in namespace "shop"`. */
  readonly action: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
  /** The response streams until one side ends it, as for a watch. */
  readonly isLasting?: boolean;
  /** Exempt from the rate limit of the client. */
  readonly isUnlimited?: boolean;
}

/** One attempt of a request, for metrics. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** Absent if no response came. */
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

/** A response whose body is not read yet. The deadline applies until the caller releases it. */
export interface OpenResponse {
  readonly response: HttpResponse;
  readonly deadline: RequestDeadline;
}

/** Retries of a request that the server rejects with a Retry-After, as in client-go (ADR 0013). */
const maxRetries = 10;

/** Sends API calls: applies the rate limit, adds credentials, retries where it is safe, and classifies errors. */
export class RequestSender {
  readonly #options: SenderOptions;
  readonly #basePath: string;
  readonly #deadlines: RequestDeadlines;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#basePath = new URL(options.config.server).pathname.replace(/\/$/, '');
    this.#deadlines = new RequestDeadlines(options.clock);
  }

  /**
   * Returns the body of a successful response: parsed if it is JSON, else as text. `open` retries only until the
   * headers arrive, so a read whose body breaks off is retried here, once.
   */
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

  /** Sends the call, with retries, until a response succeeds, an error is final or the retries are used up. */
  async open(call: ApiCall, timeout: DurationMs): Promise<OpenResponse> {
    const tries = { lost: 0, delayed: 0, renewed: false };
    for (;;) {
      if (!call.isUnlimited) await this.#options.limiter.take(call.signal);
      const deadline = this.#deadlines.start(timeout, call.signal);
      try {
        const response = await this.#exchange(call, deadline);
        if (response.status < 400) return { response, deadline };
        const error = await readError(call, response);
        await this.#waitForRetry(call, error, tries);
      } catch (error) {
        const failure = this.#failure(call, error, deadline);
        if (!isSafeToRetry(call, failure) || tries.lost > 0) throw failure;
        tries.lost += 1;
      }
      deadline.release();
    }
  }

  /** Waits until the call may be retried after this error. Throws the error if it may not. */
  async #waitForRetry(
    call: ApiCall,
    error: ApiError,
    tries: { delayed: number; renewed: boolean },
  ): Promise<void> {
    if (error.status === 401 && !tries.renewed && this.#options.config.credentials?.renew?.() === true) {
      tries.renewed = true;
      return;
    }
    if (!shouldRetryLater(error) || tries.delayed >= maxRetries) throw error;
    tries.delayed += 1;
    await this.#options.clock.sleep(error.retryAfter ?? durationMs(0), call.signal);
  }

  async #exchange(call: ApiCall, cancellation: RequestDeadline): Promise<HttpResponse> {
    const { clock, transport, onExchange } = this.#options;
    const { method, isLasting = false } = call;
    const path = this.#basePath + call.path;
    const beforeSend = this.#guard(method);
    // Fail before waiting for credentials and a connection if the fence is closed already.
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

/** A retry is safe for a read, and for a write that the server certainly did not process. */
function isSafeToRetry(call: ApiCall, failure: CodedError): boolean {
  if (!(failure instanceof ConnectionError) || call.signal?.aborted) return false;
  return failure.unsent || call.method === 'GET';
}

/**
 * Whether the server sent a Retry-After that the client should follow. Not for an eviction that a PodDisruptionBudget
 * blocks, which may last for hours: the caller decides when to retry it.
 */
function shouldRetryLater(error: ApiError): boolean {
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
