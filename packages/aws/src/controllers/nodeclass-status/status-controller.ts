import {
  conditionTransitionEvent,
  getCondition,
  type StatusConditionMetrics,
  seconds,
  sharedStatusConditionMetrics,
} from '@karpenter/core/api';
import type { Meters } from '@karpenter/core/ports';
import type { Condition } from '@karpenter/core/schema';
import type { WatchCache } from '@karpenter/kube/cache';
import type { Again, Clock, Controller, EventRecorder, Instant } from '@karpenter/kube/runtime';
import { ec2NodeClasses } from '../../kinds.ts';
import {
  awsControllerNames,
  awsEvents,
  awsReconcilePeriods,
  ec2NodeClassStatusMetrics,
} from '../../names/index.ts';
import type { EC2NodeClass } from '../../node-class/index.ts';
import { outdated, type Transition, transitionMessage, transitions } from './condition-changes.ts';

export interface StatusOptions {
  readonly classes: WatchCache<EC2NodeClass>;
  readonly recorder: EventRecorder;
  readonly meters: Meters;
  readonly clock: Pick<Clock, 'now'>;
}

type Labels = Readonly<Record<string, string>>;

/** The same figures under two names, of which the second tells kinds apart by labels. */
const families: readonly { readonly metrics: StatusConditionMetrics; readonly labels: Labels }[] = [
  { metrics: ec2NodeClassStatusMetrics, labels: {} },
  {
    metrics: sharedStatusConditionMetrics,
    labels: { group: ec2NodeClasses.group, kind: ec2NodeClasses.kind },
  },
];

/** Reports the conditions of EC2NodeClasses, and tells of their changes. */
export class StatusController implements Controller {
  readonly name = awsControllerNames.nodeClassStatus;
  readonly kind = ec2NodeClasses;
  readonly concurrency = 10;
  readonly #options: StatusOptions;
  readonly #seen = new Map<string, EC2NodeClass>();

  constructor(options: StatusOptions) {
    this.#options = options;
  }

  async reconcile(name: string): Promise<Again | undefined> {
    const before = this.#seen.get(name);
    const after = this.#options.classes.get({ name });
    if (before !== undefined) this.#tellFinalized(before, after);
    if (after === undefined) {
      this.#forget(name, before);
      return undefined;
    }
    this.#seen.set(name, after);
    for (const family of families) this.#report(family, before, after);
    for (const { from, to } of transitions(conditionsOf(before), conditionsOf(after))) {
      if (from !== undefined) this.#tell(after, from, to);
    }
    return { requeueAfter: awsReconcilePeriods.nodeClassStatus };
  }

  #report(
    { metrics, labels }: (typeof families)[number],
    before: EC2NodeClass | undefined,
    after: EC2NodeClass,
  ): void {
    const { meters } = this.#options;
    const object = { ...labels, ...nameLabels(after.metadata.name) };
    for (const condition of outdated(conditionsOf(before), conditionsOf(after))) {
      meters.remove(metrics.count, { ...object, ...series(condition) });
      meters.remove(metrics.currentStatusSeconds, { ...object, ...series(condition) });
    }
    for (const condition of conditionsOf(after)) {
      const of = { ...object, ...series(condition) };
      meters.set(metrics.count, of, 1);
      meters.set(metrics.currentStatusSeconds, of, this.#secondsSince(condition.lastTransitionTime));
    }
    for (const change of transitions(conditionsOf(before), conditionsOf(after))) {
      this.#count(metrics, labels, change);
    }
    const { deletionTimestamp } = after.metadata;
    if (deletionTimestamp === undefined) return;
    meters.set(metrics.terminationCurrentTime, object, this.#secondsSince(deletionTimestamp));
  }

  #count(metrics: StatusConditionMetrics, labels: Labels, { from, to }: Transition): void {
    const { meters } = this.#options;
    meters.increment(metrics.transitions, { ...labels, ...series(to) });
    if (from === undefined) return;
    const lasted = secondsBetween(from.lastTransitionTime, Date.parse(to.lastTransitionTime));
    meters.observe(
      metrics.transitionSeconds,
      { ...labels, type: from.type, status: from.status },
      Math.max(0, lasted),
    );
  }

  #forget(name: string, last: EC2NodeClass | undefined): void {
    const { meters } = this.#options;
    for (const { metrics, labels } of families) {
      const object = { ...labels, ...nameLabels(name) };
      meters.remove(metrics.count, object);
      meters.remove(metrics.currentStatusSeconds, object);
      meters.remove(metrics.terminationCurrentTime, object);
      const deleted = last?.metadata.deletionTimestamp;
      if (deleted === undefined) continue;
      meters.observe(metrics.terminationDuration, labels, this.#secondsSince(deleted));
    }
    this.#seen.delete(name);
  }

  #tell(object: EC2NodeClass, from: Condition, to: Condition): void {
    this.#options.recorder.publish({
      definition: conditionTransitionEvent(to.type, ec2NodeClasses.kind),
      kind: ec2NodeClasses,
      object,
      message: transitionMessage(from, to),
    });
  }

  #tellFinalized(before: EC2NodeClass, after: EC2NodeClass | undefined): void {
    const left = after?.metadata.finalizers ?? [];
    for (const finalizer of before.metadata.finalizers ?? []) {
      if (left.includes(finalizer)) continue;
      this.#options.recorder.publish({
        definition: awsEvents.finalized,
        kind: ec2NodeClasses,
        object: after ?? before,
        message: `Finalized ${finalizer}`,
      });
    }
  }

  #secondsSince(timestamp: string): number {
    return secondsBetween(timestamp, this.#options.clock.now());
  }
}

function conditionsOf(nodeClass: EC2NodeClass | undefined): readonly Condition[] {
  const conditions = nodeClass?.status?.conditions ?? [];
  return conditions.flatMap(({ type }) => getCondition({ conditions }, type) ?? []);
}

function series({ type, status, reason }: Condition): Labels {
  return { type, status, reason };
}

function nameLabels(name: string): Labels {
  return { namespace: '', name };
}

function secondsBetween(from: string, to: Instant): number {
  return (to - Date.parse(from)) / seconds(1);
}
