import {
  conditionTransitionEvent,
  conditionTransitions,
  events,
  timestampMs,
  transitionText,
} from '@karpenter/core/api';
import type { GaugeValue } from '@karpenter/core/ports';
import type { Condition } from '@karpenter/core/schema';
import { type KubeObject, parseKey } from '@karpenter/kube/client';
import { changesOf, type Instant, type Runnable } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';
import { type GaugeReading, GaugeSet } from '../gauges/index.ts';
import {
  type ConditionKind,
  type ConditionMeters,
  conditionMeters,
  conditionsOf,
  type ObjectWithConditions,
} from './condition-kind.ts';

export type ConditionContext = Pick<ControllerContext, 'caches' | 'meters' | 'recorder' | 'clock'>;

/** An object and its conditions as of its last reconcile. */
interface ObservedObject<T> {
  readonly object: T;
  readonly conditions: readonly Condition[];
}

/** Publishes how long conditions of a kind last as metrics, and each transition as a metric and an event. */
export function statusConditions<T extends ObjectWithConditions>(
  context: ConditionContext,
  conditionKind: ConditionKind<T>,
): Runnable {
  const { caches } = context;
  const { name, kind } = conditionKind;
  const cache = caches.of(kind);
  const tracker = new ConditionTracker(context, conditionKind);
  return {
    controller: {
      name,
      kind,
      concurrency: 10,
      reconcile: async (key) => {
        const object = cache.get(parseKey(key));
        if (object === undefined) tracker.remove(key);
        else tracker.observe(key, object);
        return undefined;
      },
    },
    sources: [changesOf(cache)],
  };
}

/** The conditions of all objects of one kind. Transitions are found by comparing with the last reconcile. */
class ConditionTracker<T extends ObjectWithConditions> {
  readonly #context: ConditionContext;
  readonly #kind: ConditionKind<T>;
  readonly #meters: readonly ConditionMeters[];
  readonly #gauges: GaugeSet;
  readonly #observed = new Map<string, ObservedObject<T>>();

  constructor(context: ConditionContext, kind: ConditionKind<T>) {
    this.#context = context;
    this.#kind = kind;
    this.#meters = conditionMeters(kind);
    this.#gauges = new GaugeSet(context.meters);
  }

  /** Compares an object with its last state. An object with another uid is a new one under the same name. */
  observe(key: string, object: T): void {
    const before = this.#observed.get(key);
    if (before?.object === object) return;
    const conditions = conditionsOf(this.#kind, object);
    const isSame = before?.object.metadata?.uid === object.metadata?.uid;
    if (before !== undefined && !isSame) this.remove(key);
    if (before !== undefined && isSame) this.#publishFinalized(before.object, finalizersOf(object));
    const observed = { object, conditions };
    this.#observed.set(key, observed);
    this.#reportTransitions(observed, isSame ? (before?.conditions ?? []) : []);
    this.#gauges.show(
      key,
      this.#meters.flatMap((meters) => readingsOf(meters, observed)),
    );
  }

  /** Ends the gauges of a deleted object, and observes how long its deletion took. */
  remove(key: string): void {
    const before = this.#observed.get(key);
    if (before === undefined) return;
    this.#observed.delete(key);
    this.#gauges.forget(key);
    const { object } = before;
    this.#publishFinalized(object, new Set());
    const deleted = object.metadata?.deletionTimestamp;
    if (deleted === undefined) return;
    for (const { metrics, labels } of this.#meters) {
      const seconds = secondsSince(timestampMs(deleted), this.#context.clock.now());
      this.#context.meters.observe(metrics.terminationDuration, labels(object), seconds);
    }
  }

  #reportTransitions({ object, conditions }: ObservedObject<T>, before: readonly Condition[]): void {
    const { meters, recorder } = this.#context;
    const { kind } = this.#kind;
    for (const { condition, before: earlier } of conditionTransitions(before, conditions)) {
      const { type, status, reason, lastTransitionTime } = condition;
      for (const { metrics, labels } of this.#meters) {
        const own = labels(object);
        meters.increment(metrics.transitions, { type, status, reason, ...own });
        if (earlier === undefined) continue;
        const seconds = secondsSince(
          timestampMs(earlier.lastTransitionTime),
          timestampMs(lastTransitionTime),
        );
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

  #publishFinalized(object: T, remaining: ReadonlySet<string>): void {
    const { recorder } = this.#context;
    for (const finalizer of finalizersOf(object)) {
      if (remaining.has(finalizer)) continue;
      const message = `Finalized ${finalizer}`;
      recorder.publish({ definition: events.finalized, kind: this.#kind.kind, object, message });
    }
  }
}

/**
 * Gauges of an object. Ages are stored as start times, so that an object is not updated until it changes (ADR 0032).
 */
function readingsOf(
  { metrics, labels }: ConditionMeters,
  { object, conditions }: ObservedObject<ObjectWithConditions>,
): readonly GaugeReading[] {
  const own = { ...nameOf(object), ...labels(object) };
  const deleted = object.metadata?.deletionTimestamp;
  return [
    ...conditions.flatMap(({ type, status, reason, lastTransitionTime }) => {
      const each = { ...own, type, status, reason };
      return [
        { gauge: metrics.count, labels: each, value: 1 },
        { gauge: metrics.currentStatusSeconds, labels: each, value: ageFrom(lastTransitionTime) },
      ];
    }),
    ...(deleted === undefined
      ? []
      : [{ gauge: metrics.terminationCurrentTime, labels: own, value: ageFrom(deleted) }]),
  ];
}

/** Zero when the timestamp is missing: kubelets may leave it out. */
function ageFrom(timestamp: string): GaugeValue {
  const since = timestampMs(timestamp);
  return since === undefined ? 0 : { since };
}

function nameOf({ metadata }: KubeObject): { readonly namespace: string; readonly name: string } {
  const { namespace = '', name = '' } = metadata ?? {};
  return { namespace, name };
}

function finalizersOf({ metadata }: KubeObject): ReadonlySet<string> {
  return new Set(metadata?.finalizers ?? []);
}

/** Zero when either time is missing: kubelets may leave it out. */
function secondsSince(then: Instant | undefined, now: Instant | undefined): number {
  return then === undefined || now === undefined ? 0 : Math.max(0, (now - then) / 1000);
}
