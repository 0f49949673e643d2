import { nodeClaims, nodePools } from '@karpenter/controllers';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import { type Kind, type KubeObject, keyOf, keyText, kinds } from '@karpenter/kube/client';
import {
  backoffDelay,
  type Controller,
  defaultBackoff,
  type Instant,
  type ReconcileResult,
  type Runnable,
} from '@karpenter/kube/runtime';
import type { ControllerWorld } from '@karpenter/testkit/controller-world';

const watched: readonly Kind[] = [
  nodeClaims,
  nodePools,
  kinds.node,
  kinds.pod,
  kinds.volumeAttachment,
  kinds.persistentVolumeClaim,
  kinds.resourceSlice,
];

interface Driven {
  readonly controller: Pick<Controller, 'reconcile' | 'backoff'>;
  readonly due: Map<string, Instant>;
  readonly failures: Map<string, number>;
}

const maxRounds = 500;

/**
 * Runs controllers one reconcile after the other on the virtual clock. Before each round the caches have
 * caught up with the API server, so that a test sees the same however slow the host is.
 */
export class Driver {
  readonly #world: ControllerWorld;
  readonly #driven: readonly Driven[];
  /** Errors that reconciles threw. */
  readonly errors: Error[] = [];
  /** Whether something was written since the caches last caught up. */
  #isBehind = true;

  constructor(world: ControllerWorld, ...runnables: readonly Runnable[]) {
    this.#world = world;
    this.#noteWrites();
    this.#driven = runnables.map((runnable) => this.#drive(runnable));
  }

  /** Runs all reconciles that are due by now, and those that they cause. */
  async settle(): Promise<void> {
    this.#isBehind = true;
    await this.#rest();
  }

  async #rest(): Promise<void> {
    for (let round = 0; round < maxRounds; round += 1) {
      if (this.#isBehind) await this.caughtUp();
      if (!(await this.#round())) return;
    }
    throw new Error('the controllers do not come to rest');
  }

  /** Advances the clock, and stops wherever a reconcile is due. */
  async pass(duration: DurationMs | number): Promise<void> {
    const { clock } = this.#world;
    const end = clock.now() + duration;
    await this.settle();
    for (let next = this.#next(); next <= end; next = this.#next()) {
      await clock.advance(durationMs(next - clock.now()));
      await this.#rest();
    }
    await clock.advance(durationMs(end - clock.now()));
  }

  /** Makes every controller reconcile the key, whether or not it is due. */
  async reconcile(key: string): Promise<void> {
    for (const driven of this.#driven) await this.#reconcile(driven, key);
  }

  /** Waits until the caches show what the API server has. */
  async caughtUp(): Promise<void> {
    this.#isBehind = false;
    for (const kind of watched) await this.#caughtUpWith(kind);
  }

  async #caughtUpWith(kind: Kind): Promise<void> {
    const cache = this.#world.caches.of(kind);
    const { items } = await this.#world.client.list(kind);
    const wanted = versions(items);
    if (versions(cache.list()) === wanted) return;
    await new Promise<void>((resolve) => {
      const stop = cache.subscribe(() => {
        if (versions(cache.list()) !== wanted) return;
        resolve();
        queueMicrotask(() => stop());
      });
    });
  }

  #noteWrites(): void {
    const { client } = this.#world;
    const [patch, remove, evict] = [
      client.patch.bind(client),
      client.delete.bind(client),
      client.evict.bind(client),
    ];
    client.patch = (kind, key, change, options) => {
      this.#isBehind = true;
      return patch(kind, key, change, options);
    };
    client.delete = (kind, key, options) => {
      this.#isBehind = true;
      return remove(kind, key, options);
    };
    client.evict = (pod, options) => {
      this.#isBehind = true;
      return evict(pod, options);
    };
  }

  #drive(runnable: Runnable): Driven {
    const { clock } = this.#world;
    const due = new Map<string, Instant>();
    const controller =
      'controller' in runnable
        ? runnable.controller
        : { reconcile: (_key: string, signal: AbortSignal) => runnable.singleton.reconcile(signal) };
    if ('singleton' in runnable) due.set('', clock.now());
    for (const source of runnable.sources ?? []) {
      source.start((key, after = durationMs(0)) => enqueue(due, key, clock.now() + after));
    }
    return { controller, due, failures: new Map() };
  }

  async #round(): Promise<boolean> {
    let isBusy = false;
    for (const driven of this.#driven) {
      for (const [key, at] of [...driven.due]) {
        if (at > this.#world.clock.now()) continue;
        driven.due.delete(key);
        await this.#reconcile(driven, key);
        isBusy = true;
      }
    }
    return isBusy;
  }

  async #reconcile({ controller, due, failures }: Driven, key: string): Promise<void> {
    const { clock } = this.#world;
    let again: ReconcileResult | undefined;
    try {
      again = await controller.reconcile(key, new AbortController().signal);
      failures.delete(key);
    } catch (error) {
      this.errors.push(error instanceof Error ? error : new Error(String(error)));
      const count = failures.get(key) ?? 0;
      failures.set(key, count + 1);
      again = { requeueAfter: backoffDelay(controller.backoff ?? defaultBackoff, count) };
    }
    if (again !== undefined) enqueue(due, key, clock.now() + again.requeueAfter);
  }

  #next(): Instant {
    return Math.min(...this.#driven.flatMap(({ due }) => [...due.values()]));
  }
}

function enqueue(due: Map<string, Instant>, key: string, at: Instant): void {
  const present = due.get(key);
  if (present === undefined || at < present) due.set(key, at);
}

function versions(objects: readonly KubeObject[]): string {
  return objects
    .map((object) => `${keyText(keyOf(object))}@${object.metadata?.resourceVersion}`)
    .toSorted()
    .join();
}
