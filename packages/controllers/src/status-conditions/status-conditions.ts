import {
  conditionTransitionEvent,
  conditionTransitions,
  events,
  parseTimestamp,
  reconcilePeriods,
  transitionText,
} from '@karpenter/core/api';
import type { Condition } from '@karpenter/core/schema';
import { type KubeObject, parseKey } from '@karpenter/kube/client';
import { changesOf, type Instant, type Runnable } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';
import { GaugeBook, type Reading } from '../gauges/index.ts';
import {
  type ConditionedObject,
  type ConditionKind,
  type ConditionMeters,
  conditionMeters,
  conditionsOf,
} from './condition-kind.ts';

export type ConditionContext = Pick<ControllerContext, 'caches' | 'meters' | 'recorder' | 'clock'>;

const again = { requeueAfter: reconcilePeriods.statusConditionMetrics };

/** What was last seen of an object. */
interface Seen<T> {
  readonly object: T;
  readonly conditions: readonly Condition[];
  /** What grows by itself while the object stays as it is. */
  readonly ages: readonly Age[];
}

/** A gauge of the time since a moment, if that is known. */
interface Age extends Omit<Reading, 'value'> {
  readonly since: Instant | undefined;
}

/** Measures how long conditions of a kind of object last, and tells of their changes by events. */
export function statusConditions<T extends ConditionedObject>(
  context: ConditionContext,
  conditionKind: ConditionKind<T>,
): Runnable {
  const { caches } = context;
  const { name, kind } = conditionKind;
  const cache = caches.of(kind);
  const watch = new ConditionWatch(context, conditionKind);
  return {
    controller: {
      name,
      kind,
      concurrency: 10,
      reconcile: async (key) => {
        const object = cache.get(parseKey(key));
        if (object === undefined) {
          watch.gone(key);
          return undefined;
        }
        watch.see(key, object);
        return again;
      },
    },
    sources: [changesOf(cache)],
  };
}

class ConditionWatch<T extends ConditionedObject> {
  readonly #context: ConditionContext;
  readonly #kind: ConditionKind<T>;
  readonly #meters: readonly ConditionMeters[];
  readonly #gauges: GaugeBook;
  readonly #seen = new Map<string, Seen<T>>();

  constructor(context: ConditionContext, kind: ConditionKind<T>) {
    this.#context = context;
    this.#kind = kind;
    this.#meters = conditionMeters(kind);
    this.#gauges = new GaugeBook(context.meters);
  }

  /** Of an object that has not changed only ages are news: there are ten thousand of them, looked at every few seconds. */
  see(key: string, object: T): void {
    const { clock, meters } = this.#context;
    const now = clock.now();
    const before = this.#seen.get(key);
    if (before?.object !== object) this.#seeChanged(key, object, before);
    else
      for (const { gauge, labels, since } of before.ages) meters.set(gauge, labels, secondsSince(since, now));
  }

  #seeChanged(key: string, object: T, before: Seen<T> | undefined): void {
    const now = this.#context.clock.now();
    const conditions = conditionsOf(this.#kind, object);
    const isSame = before?.object.metadata?.uid === object.metadata?.uid;
    if (before !== undefined && !isSame) this.gone(key);
    if (before !== undefined && isSame) this.#tellFinalized(before.object, finalizersOf(object));
    const ages = this.#meters.flatMap((meters) => agesOf(meters, object, conditions));
    const seen = { object, conditions, ages };
    this.#seen.set(key, seen);
    this.#tellTransitions(seen, isSame ? (before?.conditions ?? []) : []);
    this.#gauges.show(key, [...this.#counts(seen), ...ages.map((age) => ageReading(age, now))]);
  }

  gone(key: string): void {
    const before = this.#seen.get(key);
    if (before === undefined) return;
    this.#seen.delete(key);
    this.#gauges.forget(key);
    const { object } = before;
    this.#tellFinalized(object, new Set());
    const deleted = object.metadata?.deletionTimestamp;
    if (deleted === undefined) return;
    for (const { metrics, labels } of this.#meters) {
      const seconds = secondsSince(momentOf(deleted), this.#context.clock.now());
      this.#context.meters.observe(metrics.terminationDuration, labels(object), seconds);
    }
  }

  #counts({ object, conditions }: Seen<T>): readonly Reading[] {
    return this.#meters.flatMap(({ metrics, labels }) => {
      const own = { ...nameOf(object), ...labels(object) };
      return conditions.map(({ type, status, reason }) => ({
        gauge: metrics.count,
        labels: { ...own, type, status, reason },
        value: 1,
      }));
    });
  }

  #tellTransitions({ object, conditions }: Seen<T>, before: readonly Condition[]): void {
    const { meters, recorder } = this.#context;
    const { kind } = this.#kind;
    for (const { condition, before: earlier } of conditionTransitions(before, conditions)) {
      const { type, status, reason, lastTransitionTime } = condition;
      for (const { metrics, labels } of this.#meters) {
        const own = labels(object);
        meters.increment(metrics.transitions, { type, status, reason, ...own });
        if (earlier === undefined) continue;
        const seconds = secondsSince(momentOf(earlier.lastTransitionTime), momentOf(lastTransitionTime));
        meters.observe(metrics.transitionSeconds, { type, status: earlier.status, ...own }, seconds);
      }
      if (earlier === undefined) continue;
      recorder.publish({
        definition: conditionTransitionEvent(type, kind.kind),
        kind,
        object,
        message: transitionText(condition, earlier),
      });
    }
  }

  #tellFinalized(object: T, left: ReadonlySet<string>): void {
    const { recorder } = this.#context;
    for (const finalizer of finalizersOf(object)) {
      if (left.has(finalizer)) continue;
      const message = `Finalized ${finalizer}`;
      recorder.publish({ definition: events.finalized, kind: this.#kind.kind, object, message });
    }
  }
}

function agesOf(
  { metrics, labels }: ConditionMeters,
  object: ConditionedObject,
  conditions: readonly Condition[],
): readonly Age[] {
  const own = { ...nameOf(object), ...labels(object) };
  const deleted = object.metadata?.deletionTimestamp;
  return [
    ...(deleted === undefined
      ? []
      : [{ gauge: metrics.terminationCurrentTime, labels: own, since: momentOf(deleted) }]),
    ...conditions.map(({ type, status, reason, lastTransitionTime }) => ({
      gauge: metrics.currentStatusSeconds,
      labels: { ...own, type, status, reason },
      since: momentOf(lastTransitionTime),
    })),
  ];
}

function ageReading({ gauge, labels, since }: Age, now: Instant): Reading {
  return { gauge, labels, value: secondsSince(since, now) };
}

function nameOf({ metadata }: KubeObject): { readonly namespace: string; readonly name: string } {
  const { namespace = '', name = '' } = metadata ?? {};
  return { namespace, name };
}

function finalizersOf({ metadata }: KubeObject): ReadonlySet<string> {
  return new Set(metadata?.finalizers ?? []);
}

function momentOf(timestamp: string): Instant | undefined {
  const moment = parseTimestamp(timestamp);
  return moment === undefined ? undefined : moment.epochSeconds * 1000 + moment.nanoseconds / 1e6;
}

/** Nothing where either moment is not known: kubelets may leave it out. */
function secondsSince(then: Instant | undefined, now: Instant | undefined): number {
  return then === undefined || now === undefined ? 0 : Math.max(0, (now - then) / 1000);
}
