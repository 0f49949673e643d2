import { isNotFound, type KubeClient, type KubeObject, keyOf, kinds } from '@karpenter/kube/client';
import type { Clock, Instant } from '@karpenter/kube/runtime';
import type { Event } from 'kubernetes-types/core/v1.js';
import { Limiter } from './limiter.ts';
import type { SimulationLog } from './simulation-log.ts';
import { timestamp } from './timestamp.ts';

export interface EventText {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

interface Written {
  readonly key: { readonly namespace: string; readonly name: string };
  count: number;
  lastAt: Instant;
}

/** The same thing said again within this time is counted, not written anew. */
const seriesMs = 10 * 60_000;
/** Like a real recorder, it lets go of events rather than hold up the work. */
const mostWaiting = 1_000;

export interface EventRecorderOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Whose events they are: `default-scheduler`, `kubelet`, … */
  readonly component: string;
  readonly log: SimulationLog;
}

export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #written = new Map<string, Written>();
  readonly #limiter = new Limiter(4);

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  publish(about: KubeObject, text: EventText, host?: string): void {
    if (this.#limiter.load >= mostWaiting) return;
    const { log, component } = this.#options;
    this.#limiter
      .run(() => this.#write(about, text, host))
      .catch((error: unknown) => log('event not written', { component, reason: text.reason, error }));
  }

  async #write(about: KubeObject, text: EventText, host: string | undefined): Promise<void> {
    const now = this.#options.clock.now();
    const id = [about.metadata?.uid ?? about.metadata?.name, text.type, text.reason, text.message].join('\n');
    const known = this.#written.get(id);
    if (known !== undefined && known.lastAt + seriesMs > now && (await this.#count(known, now))) return;
    const event = this.#event(about, text, host);
    this.#prune(now);
    this.#written.set(id, {
      key: { namespace: event.metadata.namespace ?? '', name: event.metadata.name ?? '' },
      count: 1,
      lastAt: now,
    });
    await this.#options.client.create(kinds.event, event);
  }

  async #count(known: Written, now: Instant): Promise<boolean> {
    known.count += 1;
    known.lastAt = now;
    const body = { count: known.count, lastTimestamp: timestamp(now) };
    try {
      await this.#options.client.patch(kinds.event, known.key, { type: 'merge', body });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  #event(about: KubeObject, { type, reason, message }: EventText, host: string | undefined): Event {
    const { clock, component } = this.#options;
    const { name, namespace } = keyOf(about);
    const at = timestamp(clock.now());
    const { apiVersion, kind, metadata } = about;
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${nameSuffix(clock.now())}`, namespace: namespace ?? 'default' },
      involvedObject: {
        ...(apiVersion !== undefined && { apiVersion }),
        ...(kind !== undefined && { kind }),
        name,
        ...(namespace !== undefined && { namespace }),
        ...(metadata?.uid !== undefined && { uid: metadata.uid }),
        ...(metadata?.resourceVersion !== undefined && { resourceVersion: metadata.resourceVersion }),
      },
      type,
      reason,
      message,
      count: 1,
      firstTimestamp: at,
      lastTimestamp: at,
      source: { component, ...(host !== undefined && { host }) },
      reportingComponent: component,
      reportingInstance: host ?? component,
    };
  }

  #prune(now: Instant): void {
    if (this.#written.size < 10_000) return;
    for (const [id, { lastAt }] of this.#written) if (lastAt + seriesMs <= now) this.#written.delete(id);
    if (this.#written.size >= 10_000) this.#written.clear();
  }
}

let sequence = 0;

/** Unique within the process and, by the time in it, between processes. */
function nameSuffix(now: Instant): string {
  sequence += 1;
  return (BigInt(now) * 1_000_000n + BigInt(sequence % 1_000_000)).toString(16);
}
