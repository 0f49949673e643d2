import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { isFenceRefusal } from '@karpenter/kube/runtime';
import { launchTuning } from '../names/index.ts';
import type { CallOptions } from '../ports/index.ts';
import type { CallTracker } from './call-observer.ts';
import { guardedAgents } from './guarded-agent.ts';
import { SdkError } from './sdk-error.ts';

/** Configuration of every SDK client. */
interface ClientConfig {
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
  /** Replaces the endpoints of AWS, for tests over HTTP. */
  readonly endpoint?: string | undefined;
  /** How long one attempt may take; defaults to 4 minutes. */
  readonly requestTimeoutMs?: number | undefined;
}

type Handler = Parameters<CallTracker['watch']>[0];

interface SendOptions {
  readonly abortSignal?: AbortSignal;
}

/** The part of an SDK command that determines the input and output types of its call. */
interface SdkCommand<Input, Output> {
  readonly input: Input;
  resolveMiddleware(...args: never[]): (...args: never[]) => Promise<{ readonly output: Output }>;
}

interface SdkClient {
  readonly config: { readonly requestHandler: Handler };
  send<Input, Output>(command: SdkCommand<Input, Output>, options: SendOptions): Promise<Output>;
}

/** A module of `clients`: the client of a service and the commands in use. */
interface ServiceModule<Client extends SdkClient> {
  readonly Client: new (config: ClientConfig) => Client;
}

interface Loaded<Client, Module> {
  readonly client: Client;
  readonly sdk: Module;
}

const defaultAttempts = 3;

/**
 * Binds one service. Loads its client with the first call, because loading the SDK takes longer than most CLI commands.
 */
export class ServiceBinding<Client extends SdkClient, Module> {
  readonly #service: string;
  readonly #options: BindingOptions;
  readonly #load: () => Promise<Module & ServiceModule<Client>>;
  /** Clients by number of attempts, which the SDK fixes per client. */
  readonly #loaded = new Map<number, Promise<Loaded<Client, Module>>>();

  constructor(service: string, options: BindingOptions, load: () => Promise<Module & ServiceModule<Client>>) {
    this.#service = service;
    this.#options = options;
    this.#load = load;
  }

  /** Returns an operation with the signature of the ports. */
  call<Input, Output>(
    operation: string,
    commandOf: (sdk: Module) => new (input: NoInfer<Input>) => SdkCommand<Input, Output>,
  ): (input: Input, options?: CallOptions) => Promise<Output> {
    const name = { service: this.#service, operation };
    return (input, { signal, retries, beforeAttempt } = {}) => {
      const attempt = async () => {
        try {
          const { sdk, client } = await this.loaded(retries === 'none' ? 1 : defaultAttempts);
          const Command = commandOf(sdk);
          return await client.send(new Command(input), signal === undefined ? {} : { abortSignal: signal });
        } catch (error) {
          // A refusal of the write fence is not an error of AWS.
          throw isFenceRefusal(error) ? error : new SdkError(error, name);
        }
      };
      return this.#options.tracker.track(name, attempt, beforeAttempt);
    };
  }

  loaded(maxAttempts = defaultAttempts): Promise<Loaded<Client, Module>> {
    const known = this.#loaded.get(maxAttempts);
    if (known !== undefined) return known;
    const made = this.#make(maxAttempts);
    this.#loaded.set(maxAttempts, made);
    return made;
  }

  async #make(maxAttempts: number): Promise<Loaded<Client, Module>> {
    const { region, version, endpoint, tracker, requestTimeoutMs } = this.#options;
    const sdk = await this.#load();
    const client = new sdk.Client({
      region,
      maxAttempts,
      customUserAgent: [[`karpenter.sh-${version}`]],
      requestHandler: {
        requestTimeout: requestTimeoutMs ?? launchTuning.sdkTimeout,
        // Without it the SDK only logs a warning and keeps waiting.
        throwOnRequestTimeout: true,
        ...guardedAgents(() => tracker.check()),
      },
      ...(endpoint !== undefined && { endpoint }),
    });
    tracker.watch(client.config.requestHandler);
    return { sdk, client };
  }
}
