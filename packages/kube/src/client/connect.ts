import { type DurationMs, durationMs } from '@karpenter/core/values';
import { systemClock, TokenBucket } from '../clock/index.ts';
import type { Clock, WriteFence } from '../runtime/index.ts';
import type { ClusterConfig } from './cluster-config.ts';
import type { KubeClient } from './kube-client.ts';
import { NegotiatedTransport } from './negotiated-transport.ts';
import { type Exchange, RequestSender } from './request-sender.ts';
import { RestClient } from './rest-client.ts';

export interface ClientOptions {
  readonly clock?: Clock;
  /** `karpenter/<version>`; what stands before the slash becomes the manager of the fields that are written. */
  readonly userAgent?: string;
  /** Requests a second on average; defaults to 200. */
  readonly qps?: number;
  /** Requests at once after a rest; defaults to 300. */
  readonly burst?: number;
  /** For a whole request but a watch; defaults to a little more than a server itself allows. */
  readonly requestTimeout?: DurationMs;
  /** Asked before each attempt of a request that is not a GET, and again before it is sent. Without one, all pass. */
  readonly fence?: WriteFence;
  /** Called with each request and its answer, for metrics. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** A client of one API server. Nothing is sent until something is asked. */
export function connect(config: ClusterConfig, options: ClientOptions = {}): KubeClient {
  const { clock = systemClock, userAgent = 'karpenter', qps = 200, burst = 300, onExchange } = options;
  const { fence } = options;
  const transport = new NegotiatedTransport(config, clock, fence);
  const sender = new RequestSender({
    config,
    transport,
    clock,
    limiter: new TokenBucket({ perSecond: qps, burst }, clock),
    userAgent,
    requestTimeout: options.requestTimeout ?? durationMs(70_000),
    fence,
    onExchange,
  });
  return new RestClient(sender, transport);
}
