import { CodedError } from '@karpenter/core/errors';
import { durationMs } from '@karpenter/core/values';
import { backoffDelay, type Clock } from '@karpenter/kube/runtime';

export interface MetadataClientOptions {
  /** Base address, such as `http://169.254.169.254`; it may have a path. */
  readonly url: string;
  /** Attempts of one request when no answer comes. */
  readonly tries: number;
  readonly clock: Clock;
  /** Returns a number in [0, 1), for the jitter of retries. */
  readonly random: () => number;
}

export interface MetadataRequest {
  readonly method: 'GET' | 'PUT';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export interface MetadataReply {
  readonly status: number;
  readonly body: string;
  readonly headers: Headers;
}

const timeout = durationMs(2_000);
const retryWait = { initial: durationMs(2_000), max: durationMs(60_000), jitter: 0.5 };

/**
 * Sends a request and repeats it while no answer comes. An answer of any status is returned as it is: a status is what
 * the service has to say, and asking again at once would not change it.
 */
export async function sendMetadataRequest(
  options: MetadataClientOptions,
  request: MetadataRequest,
): Promise<MetadataReply> {
  const { tries, clock, random } = options;
  for (let failures = 0; ; failures += 1) {
    try {
      return await sendOnce(options, request);
    } catch (cause) {
      if (failures + 1 >= tries || request.signal?.aborted === true)
        throw unreachable(options, request, cause);
      await clock.sleep(backoffDelay({ ...retryWait, random }, failures), request.signal);
    }
  }
}

/** The time limit goes by the injected clock and covers the body too. */
async function sendOnce(
  { url, clock }: MetadataClientOptions,
  { method, path, headers, signal }: MetadataRequest,
): Promise<MetadataReply> {
  const answered = new AbortController();
  const expired = new AbortController();
  void clock.sleep(timeout, answered.signal).then(() => expired.abort(new Error('no answer within 2 s')));
  const signals = signal === undefined ? [expired.signal] : [expired.signal, signal];
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.any(signals),
    });
    return { status: response.status, body: await response.text(), headers: response.headers };
  } finally {
    answered.abort();
  }
}

function unreachable({ url }: MetadataClientOptions, { path }: MetadataRequest, cause: unknown): CodedError {
  return new CodedError(
    'metadata-unreachable',
    `cannot read ${path} of the instance metadata service at ${url}: ${reasonOf(cause)}; check that the pod uses the host network and that the instance allows metadata`,
    { details: { path }, cause },
  );
}

/** What went wrong on the network is in the cause of the error of `fetch`, whose own message is always the same. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
