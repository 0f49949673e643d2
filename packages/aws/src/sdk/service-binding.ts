import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { isFenceRefusal } from '@karpenter/kube/runtime';
import { launchTuning } from '../names/index.ts';
import type { CallOptions } from '../ports/index.ts';
import type { CallTracker } from './call-observer.ts';
import { guardedAgents } from './guarded-agent.ts';
import { SdkError } from './sdk-error.ts';

/** What every client of the SDK is made with. */
export interface ClientConfig {
  readonly region: string;
  readonly maxAttempts: number;
  readonly customUserAgent: [string][];
  readonly requestHandler: {
    readonly requestTimeout: number;
    readonly throwOnRequestTimeout: true;
    readonly httpAgent?: HttpAgent;
    readonly httpsAgent?: HttpsAgent;
  };
  readonly endpoint?: string;
}

export interface BindingOptions {
  readonly region: string;
  readonly version: string;
  readonly tracker: CallTracker;
  /** Another address than AWS' own, for tests over the wire. */
  readonly endpoint?: string | undefined;
  /** How long one attempt may take; defaults to 4 minutes. */
  readonly requestTimeoutMs?: number | undefined;
}

type Handler = Parameters<CallTracker['watch']>[0];

interface Client {
  readonly config: { readonly requestHandler: Handler };
}

export interface SendOptions {
  readonly abortSignal?: AbortSignal;
}

const usualAttempts = 3;

/** One service: its client is loaded with the first call, since loading the SDK takes longer than most commands. */
export class ServiceBinding<C extends Client> {
  readonly #service: string;
  readonly #options: BindingOptions;
  readonly #load: (config: ClientConfig) => Promise<C>;
  readonly #clients = new Map<number, Promise<C>>();

  constructor(service: string, options: BindingOptions, load: (config: ClientConfig) => Promise<C>) {
    this.#service = service;
    this.#options = options;
    this.#load = load;
  }

  /** One operation, as the ports have it. */
  call<Input, Output>(
    operation: string,
    send: (client: C, input: Input, options: SendOptions) => Promise<Output>,
  ): (input: Input, options?: CallOptions) => Promise<Output> {
    const name = { service: this.#service, operation };
    return (input, { signal, retries, beforeAttempt } = {}) => {
      const attempt = async () => {
        try {
          const client = await this.client(retries === 'none' ? 1 : usualAttempts);
          return await send(client, input, signal === undefined ? {} : { abortSignal: signal });
        } catch (error) {
          // What was refused on this side is no failure of AWS.
          throw isFenceRefusal(error) ? error : new SdkError(error, name);
        }
      };
      return this.#options.tracker.track(name, attempt, beforeAttempt);
    };
  }

  client(maxAttempts = usualAttempts): Promise<C> {
    const known = this.#clients.get(maxAttempts);
    if (known !== undefined) return known;
    const made = this.#make(maxAttempts);
    this.#clients.set(maxAttempts, made);
    return made;
  }

  async #make(maxAttempts: number): Promise<C> {
    const { region, version, endpoint, tracker, requestTimeoutMs } = this.#options;
    const client = await this.#load({
      region,
      maxAttempts,
      customUserAgent: [[`karpenter.sh-${version}`]],
      requestHandler: {
        requestTimeout: requestTimeoutMs ?? launchTuning.sdkTimeout,
        // Without it the SDK only warns, and waits on.
        throwOnRequestTimeout: true,
        ...guardedAgents(() => tracker.check()),
      },
      ...(endpoint !== undefined && { endpoint }),
    });
    tracker.watch(client.config.requestHandler);
    return client;
  }
}
