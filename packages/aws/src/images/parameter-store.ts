import type { Log } from '@karpenter/core/ports';
import type { Clock } from '@karpenter/kube/runtime';
import { ExpiringMap, SharedCalls } from '../caching/index.ts';
import { cacheLifetimes } from '../names/index.ts';
import type { Ssm } from '../ports/index.ts';

export interface ParameterRequest {
  readonly name: string;
  /** Whether the value of the parameter may change. */
  readonly mutable: boolean;
  /** The user named it in an `ssmParameter` term; cached for a shorter time than those of aliases. */
  readonly isCustom?: boolean;
}

interface Parameter {
  readonly value: string;
  readonly mutable: boolean;
}

/** Caches SSM parameters for a day, because AMI parameters rarely change. */
export class ParameterStore {
  readonly #ssm: Ssm;
  readonly #log: Log;
  readonly #cached: ExpiringMap<string, Parameter>;
  readonly #calls = new SharedCalls<string, string>();

  constructor({ ssm, clock, log }: { readonly ssm: Ssm; readonly clock: Clock; readonly log: Log }) {
    this.#ssm = ssm;
    this.#log = log;
    this.#cached = new ExpiringMap({ clock, lifetime: cacheLifetimes.ssmParameter });
  }

  /**
   * Returns the value, cached or from SSM. Concurrent calls share one request. Rejects with the error of SSM.
   */
  async get(request: ParameterRequest): Promise<string> {
    const { name } = request;
    return this.#cached.get(name)?.value ?? this.#calls.call(name, () => this.#fetch(request));
  }

  /** Cached parameters whose value may have changed; parameter-invalidation.ts checks them. */
  mutableValues(): readonly { readonly name: string; readonly value: string }[] {
    return [...this.#cached.entries()].flatMap(([name, { value, mutable }]) =>
      mutable ? [{ name, value }] : [],
    );
  }

  /** Drops a cached value, so that the next `get` calls SSM. */
  forget(name: string): void {
    this.#cached.delete(name);
  }

  async #fetch({ name, mutable, isCustom = false }: ParameterRequest): Promise<string> {
    const { Parameter: parameter } = await this.#ssm.getParameter({ Name: name });
    const value = parameter?.Value ?? '';
    const lifetime = isCustom ? cacheLifetimes.customSsmParameter : cacheLifetimes.ssmParameter;
    this.#cached.set(name, { value, mutable }, lifetime);
    this.#log.info('discovered ssm parameter', { parameter: name, value });
    return value;
  }
}
