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
  /** `karpenter/<version>`. The server uses the part before the slash as the default field manager of writes. */
  readonly userAgent?: string;
  /** Average requests per second; defaults to 200. */
  readonly qps?: number;
  /** Requests that an idle client may send at once; defaults to 300. */
  readonly burst?: number;
  /** Timeout of a request other than a watch. Defaults to 70 s, a little more than API servers allow themselves. */
  readonly requestTimeout?: DurationMs;
  /** Checked before each attempt of a write, and again just before it is sent (ADR 0036). Without one, all pass. */
  readonly fence?: WriteFence;
  /** Called after each request attempt, for metrics. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** Creates a client of one API server. It connects with the first request. */
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
