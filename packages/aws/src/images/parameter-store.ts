import type { Log } from '@karpenter/core/ports';
import type { Clock } from '@karpenter/kube/runtime';
import { ExpiringMap, SharedCalls } from '../caching/index.ts';
import { cacheLifetimes } from '../names/index.ts';
import type { Ssm } from '../ports/index.ts';

export interface ParameterRequest {
  readonly name: string;
  /** What it holds may change without its name changing. */
  readonly mutable: boolean;
  /** Named by the owner of a class rather than by an alias: believed for a shorter time. */
  readonly isCustom?: boolean;
}

interface Parameter {
  readonly value: string;
  readonly mutable: boolean;
}

/** Values of SSM parameters, which change so seldom that they are asked for once a day. */
export class ParameterStore {
  readonly #ssm: Ssm;
  readonly #log: Log;
  readonly #known: ExpiringMap<string, Parameter>;
  readonly #underWay = new SharedCalls<string, string>();

  constructor({ ssm, clock, log }: { readonly ssm: Ssm; readonly clock: Clock; readonly log: Log }) {
    this.#ssm = ssm;
    this.#log = log;
    this.#known = new ExpiringMap({ clock, lifetime: cacheLifetimes.ssmParameter });
  }

  async get(request: ParameterRequest): Promise<string> {
    const { name } = request;
    return this.#known.get(name)?.value ?? this.#underWay.call(name, () => this.#ask(request));
  }

  /** Parameters that may hold another value by now, with the value that is believed. */
  mutableValues(): readonly { readonly name: string; readonly value: string }[] {
    return [...this.#known.entries()].flatMap(([name, { value, mutable }]) =>
      mutable ? [{ name, value }] : [],
    );
  }

  forget(name: string): void {
    this.#known.delete(name);
  }

  async #ask({ name, mutable, isCustom = false }: ParameterRequest): Promise<string> {
    const { Parameter: answered } = await this.#ssm.getParameter({ Name: name });
    const value = answered?.Value ?? '';
    const lifetime = isCustom ? cacheLifetimes.customSsmParameter : cacheLifetimes.ssmParameter;
    this.#known.set(name, { value, mutable }, lifetime);
    this.#log.info('discovered ssm parameter', { parameter: name, value });
    return value;
  }
}
