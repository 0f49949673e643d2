import {
  conditionTransitionEvent,
  type EventDefinition,
  getCondition,
  type StatusConditionMetrics,
  seconds,
} from '@karpenter/core/api';
import type { Meters } from '@karpenter/core/ports';
import type { Condition, LenientCondition } from '@karpenter/core/schema';
import type { DurationMs } from '@karpenter/core/values';
import type { WatchCache } from '../cache/watch-cache.ts';
import type { Kind, KubeObject } from '../client/kind.ts';
import { parseKey } from '../client/object-key.ts';
import type { Clock, Instant } from './clock.ts';
import { outdated, type Transition, transitionMessage, transitions } from './condition-changes.ts';
import type { Again, Controller } from './controller.ts';
import type { EventRecorder } from './event-recorder.ts';

type Labels = Readonly<Record<string, string>>;

/** Metrics to report under, and what labels they have besides those of all. */
export interface StatusFamily<T extends KubeObject> {
  readonly metrics: StatusConditionMetrics;
  readonly labelsOf: (object: T) => Labels;
}

export interface StatusOptions<T extends KubeObject> {
  readonly name: string;
  readonly kind: Kind<T>;
  readonly cache: WatchCache<T>;
  readonly conditionsOf: (object: T) => readonly LenientCondition[] | undefined;
  readonly families: readonly StatusFamily<T>[];
  /** Published for each finalizer that an object has lost. */
  readonly finalized: EventDefinition;
  /** How often ages are reported anew. */
  readonly period: DurationMs;
  readonly recorder: EventRecorder;
  readonly meters: Meters;
  readonly clock: Pick<Clock, 'now'>;
}

/** Reports the conditions of the objects of one kind and how long they take to go, and tells of changes. */
export class StatusController<T extends KubeObject> implements Controller {
  readonly name: string;
  readonly kind: Kind<T>;
  readonly concurrency = 10;
  readonly #options: StatusOptions<T>;
  readonly #seen = new Map<string, T>();

  constructor(options: StatusOptions<T>) {
    this.name = options.name;
    this.kind = options.kind;
    this.#options = options;
  }

  async reconcile(key: string): Promise<Again | undefined> {
    const { cache, families, period } = this.#options;
    const before = this.#seen.get(key);
    const after = cache.get(parseKey(key));
    if (before !== undefined) this.#tellFinalized(before, after);
    if (after === undefined) {
      this.#seen.delete(key);
      if (before !== undefined) for (const family of families) this.#forget(family, before);
      return undefined;
    }
    this.#seen.set(key, after);
    for (const family of families) this.#report(family, before, after);
    for (const { from, to } of transitions(this.#conditions(before), this.#conditions(after))) {
      if (from !== undefined) this.#tell(after, from, to);
    }
    return { requeueAfter: period };
  }

  #report(family: StatusFamily<T>, before: T | undefined, after: T): void {
    const { metrics, labelsOf } = family;
    const { meters } = this.#options;
    const old = outdated(this.#conditions(before), this.#conditions(after));
    if (before !== undefined) for (const condition of old) this.#remove(family, before, condition);
    for (const condition of this.#conditions(after)) {
      const labels = { ...objectLabels(after), ...labelsOf(after), ...seriesOf(condition) };
      meters.set(metrics.count, labels, 1);
      meters.set(metrics.currentStatusSeconds, labels, this.#secondsSince(condition.lastTransitionTime));
    }
    for (const change of transitions(this.#conditions(before), this.#conditions(after))) {
      this.#count(family, after, change);
    }
    const deleted = after.metadata?.deletionTimestamp;
    if (deleted === undefined) return;
    const labels = { ...objectLabels(after), ...labelsOf(after) };
    meters.set(metrics.terminationCurrentTime, labels, this.#secondsSince(deleted));
  }

  #remove({ metrics, labelsOf }: StatusFamily<T>, object: T, condition: Condition): void {
    const labels = { ...objectLabels(object), ...labelsOf(object), ...seriesOf(condition) };
    this.#options.meters.remove(metrics.count, labels);
    this.#options.meters.remove(metrics.currentStatusSeconds, labels);
  }

  /** A condition that is new has changed too, but there is no time that it took. */
  #count({ metrics, labelsOf }: StatusFamily<T>, object: T, { from, to }: Transition): void {
    const { meters } = this.#options;
    meters.increment(metrics.transitions, { ...labelsOf(object), ...seriesOf(to) });
    if (from === undefined) return;
    const lasted = secondsBetween(from.lastTransitionTime, Date.parse(to.lastTransitionTime));
    const labels = { ...labelsOf(object), type: from.type, status: from.status };
    meters.observe(metrics.transitionSeconds, labels, Math.max(0, lasted));
  }

  #forget({ metrics, labelsOf }: StatusFamily<T>, last: T): void {
    const { meters } = this.#options;
    const labels = { ...objectLabels(last), ...labelsOf(last) };
    for (const metric of [metrics.count, metrics.currentStatusSeconds, metrics.terminationCurrentTime]) {
      meters.remove(metric, labels);
    }
    const deleted = last.metadata?.deletionTimestamp;
    if (deleted === undefined) return;
    meters.observe(metrics.terminationDuration, labelsOf(last), this.#secondsSince(deleted));
  }

  #tell(object: T, from: Condition, to: Condition): void {
    const { kind, recorder } = this.#options;
    const definition = conditionTransitionEvent(to.type, kind.kind);
    recorder.publish({ definition, kind, object, message: transitionMessage(from, to) });
  }

  #tellFinalized(before: T, after: T | undefined): void {
    const { kind, recorder, finalized: definition } = this.#options;
    const left = after?.metadata?.finalizers ?? [];
    for (const finalizer of before.metadata?.finalizers ?? []) {
      if (left.includes(finalizer)) continue;
      recorder.publish({ definition, kind, object: after ?? before, message: `Finalized ${finalizer}` });
    }
  }

  #conditions(object: T | undefined): readonly Condition[] {
    const conditions = object === undefined ? [] : (this.#options.conditionsOf(object) ?? []);
    return conditions.flatMap(({ type }) => getCondition({ conditions }, type) ?? []);
  }

  #secondsSince(timestamp: string): number {
    return secondsBetween(timestamp, this.#options.clock.now());
  }
}

function seriesOf({ type, status, reason }: Condition): Labels {
  return { type, status, reason };
}

function objectLabels({ metadata }: KubeObject): Labels {
  return { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
}

function secondsBetween(from: string, to: Instant): number {
  return (to - Date.parse(from)) / seconds(1);
}
