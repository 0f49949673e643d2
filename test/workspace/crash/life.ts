import { randomUUID } from 'node:crypto';
import type { AwsServices } from '@karpenter/aws/ports';
import type { Kind, KubeClient, ListOptions, ObjectKey } from '@karpenter/kube/client';
import type { Clock } from '@karpenter/kube/runtime';
import type { FlakyCalls } from './flaky-calls.ts';
import { ifThere } from './restless-cluster.ts';

/** Writes at which the process can be killed. */
export const fatalWrites = [
  'create NodeClaim',
  'createFleet',
  'patch NodeClaim',
  'patch Node',
  'evict Pod',
  'delete NodeClaim',
  'terminateInstances',
] as const;

/**
 * How a process dies: at its n-th write of a name, or of any name, before or after the write takes effect.
 */
export interface Death {
  readonly at: (typeof fatalWrites)[number] | undefined;
  readonly count: number;
  readonly isCarriedOut: boolean;
}

/** Calls of a dead process never return. Each has a promise of its own: one that all share would keep them in memory. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}

/**
 * One run of a controller process. Everything that the process does goes through here, so that it stops dead
 * between two instructions: no reply arrives, no sleep ends, no write is sent.
 */
export class Life {
  readonly #death: Death | undefined;
  readonly #onDeath: (write: string) => void;
  readonly #writes = new Map<string | undefined, number>();
  #isOver = false;
  /** Sleeps that have not ended: the clock would keep a dead process in memory until they do. */
  readonly #sleeps = new Set<AbortController>();
  /** Calls without a reply so far. */
  underWay = 0;

  constructor(death: Death | undefined, onDeath: (write: string) => void) {
    this.#death = death;
    this.#onDeath = onDeath;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ends the run without a kill, as when a process fails at its start. */
  end(): void {
    this.#isOver = true;
    for (const sleep of this.#sleeps) sleep.abort();
  }

  async call<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isOver) return never();
    this.underWay += 1;
    try {
      return await work();
    } finally {
      this.underWay -= 1;
      if (this.#isOver) await never();
    }
  }

  /** A call at which the process may be killed. */
  async write<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (this.#isOver) return never();
    if (!this.#isLast(name)) return this.call(work);
    if (this.#death?.isCarriedOut === true) await work().catch(() => undefined);
    this.end();
    this.#onDeath(name);
    return never();
  }

  #isLast(name: string): boolean {
    for (const each of [name, undefined]) this.#writes.set(each, (this.#writes.get(each) ?? 0) + 1);
    return this.#death !== undefined && this.#writes.get(this.#death.at) === this.#death.count;
  }

  clock(clock: Clock): Clock {
    return {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      sleep: async (duration, signal) => {
        await this.#sleep((ended) => clock.sleep(duration, ended), signal);
        if (this.#isOver) await never();
      },
    };
  }

  async #sleep(work: (ended: AbortSignal) => Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    const sleep = new AbortController();
    const end = () => sleep.abort();
    if (signal?.aborted === true) end();
    signal?.addEventListener('abort', end);
    this.#sleeps.add(sleep);
    await work(sleep.signal);
    this.#sleeps.delete(sleep);
    signal?.removeEventListener('abort', end);
  }

  /** Counts only writes that create or remove nodes and pods, not events and leases. */
  client(client: KubeClient, faults: FlakyCalls): KubeClient {
    const read = <T>(work: () => Promise<T>) => this.call(() => faults.attempt(work));
    const write = <T>(name: string, work: () => Promise<T>) =>
      isCounted(name) ? this.write(name, () => faults.attempt(work)) : read(work);
    const change = <T>(kind: Kind, key: ObjectKey, work: () => Promise<T>) =>
      write(`patch ${kind.kind}`, () => faults.afterAnotherWriter(() => touch(client, kind, key), work));
    return {
      get: (kind, key, options) => read(() => client.get(kind, key, options)),
      find: (kind, key, options) => read(() => client.find(kind, key, options)),
      list: (kind, options) =>
        this.call(() => faults.attemptList(listSubject(kind, options), () => client.list(kind, options))),
      watch: (kind, options) => this.#alive(faults.stream(client.watch(kind, options))),
      create: (kind, ...rest) => write(`create ${kind.kind}`, () => client.create(kind, ...rest)),
      replace: (kind, ...rest) => write(`replace ${kind.kind}`, () => client.replace(kind, ...rest)),
      patch: (kind, key, ...rest) => change(kind, key, () => client.patch(kind, key, ...rest)),
      apply: (kind, ...rest) => write(`apply ${kind.kind}`, () => client.apply(kind, ...rest)),
      delete: (kind, ...rest) => write(`delete ${kind.kind}`, () => client.delete(kind, ...rest)),
      deleteAll: (kind, ...rest) => write(`delete ${kind.kind}`, () => client.deleteAll(kind, ...rest)),
      evict: (...rest) => write('evict Pod', () => client.evict(...rest)),
      bind: (...rest) => write('bind Pod', () => client.bind(...rest)),
      request: (...rest) => read(() => client.request(...rest)),
      close: () => client.close(),
    };
  }

  services(services: AwsServices): AwsServices {
    const { ec2, sqs, ssm, iam, pricing, eks, sts, zonalShift, autoScaling } = services;
    return {
      ec2: this.#service(ec2),
      sqs: this.#service(sqs),
      ssm: this.#service(ssm),
      iam: this.#service(iam),
      pricing: this.#service(pricing),
      eks: this.#service(eks),
      sts: this.#service(sts),
      zonalShift: this.#service(zonalShift),
      autoScaling: this.#service(autoScaling),
    };
  }

  #service<S extends object>(service: S): S {
    return new Proxy(service, {
      get: (target, name) => {
        const operation: unknown = Reflect.get(target, name);
        if (typeof operation !== 'function') return operation;
        return (...parameters: readonly unknown[]) => {
          const work = async (): Promise<unknown> => Reflect.apply(operation, target, parameters);
          return isCounted(String(name)) && !isDryRun(parameters[0])
            ? this.write(String(name), work)
            : this.#quietCall(work);
        };
      },
    });
  }

  /** The cloud replies by the virtual clock, so the clock must not wait for these calls. */
  async #quietCall<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isOver) return never();
    try {
      return await work();
    } finally {
      if (this.#isOver) await never();
    }
  }

  async *#alive<T>(events: AsyncIterable<T>): AsyncIterable<T> {
    for await (const event of events) {
      if (this.#isOver) await never();
      yield event;
    }
    if (this.#isOver) await never();
  }
}

/** Writes an object as another client would, so that a write with the resource version from before is refused. */
async function touch(client: KubeClient, kind: Kind, key: ObjectKey): Promise<void> {
  const annotations = { 'example.com/touched': randomUUID() };
  await ifThere(client.patch(kind, key, { type: 'merge', body: { metadata: { annotations } } }));
}

function listSubject({ kind }: Kind, { signal: _signal, ...options }: ListOptions = {}): string {
  return `${kind} ${JSON.stringify(options)}`;
}

const countedCalls = /(?: (?:NodeClaim|Node|Pod)|^createFleet|^terminateInstances|^createTags)$/;

function isCounted(name: string): boolean {
  return countedCalls.test(name);
}

function isDryRun(input: unknown): boolean {
  return typeof input === 'object' && input !== null && 'DryRun' in input && input.DryRun === true;
}
