import { controllerNames, events, type NodePool, podMetrics, schedulerMetrics } from '@karpenter/core/api';
import type { LogFields } from '@karpenter/core/ports';
import {
  type IgnoredPod,
  type IncompatiblePool,
  listedNames,
  type Nomination,
  type PlanInput,
} from '@karpenter/core/provisioning';
import type { Plan, PodView } from '@karpenter/core/scheduling';
import type { PodJudgement } from '@karpenter/core/state';
import { type DurationMs, durationMsToNs, formatDuration } from '@karpenter/core/values';
import { kinds } from '@karpenter/kube/client';
import { nodePools } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import { errorFields } from '../operator/index.ts';
import { eventObject, nominationEvent } from './nomination-event.ts';

type ReportContext = Pick<ControllerContext, 'cluster' | 'recorder' | 'meters' | 'log' | 'clock'>;

const controller = controllerNames.provisioner;

/** Tells people and other controllers what a pass has found. */
export class PassReport {
  readonly #context: ReportContext;

  constructor(context: ReportContext) {
    this.#context = context;
  }

  /** Remembered, and measured the first time. */
  judged(judgements: readonly PodJudgement[]): void {
    const { cluster, clock, meters } = this.#context;
    const at = clock.now();
    for (const { uid } of judgements) {
      const times = cluster.state.podTimes(uid);
      if (times?.acknowledged === undefined || times.decided !== undefined) continue;
      meters.observe(podMetrics.schedulingDecisionDuration, {}, (at - times.acknowledged) / 1000);
    }
    cluster.learn({ type: 'podsJudged', verdicts: judgements, at });
  }

  nominated(nominations: readonly Nomination[]): void {
    this.#context.recorder.publish(...nominations.map(nominationEvent));
  }

  /** Pods that nobody should have asked to plan for; those that want devices count as pods without a place. */
  ignored(ignored: readonly IgnoredPod[]): void {
    const { log, meters } = this.#context;
    const unwanted = ignored.filter((each) => !wantsDevices(each));
    meters.set(schedulerMetrics.ignoredPods, {}, unwanted.length);
    for (const each of ignored) {
      const { pod, verdict } = each;
      if (wantsDevices(each)) {
        log.info(
          'skipping pod with Dynamic Resource Allocation requirements, not yet supported by Karpenter',
          podFields(pod),
        );
      } else {
        log.debug('ignoring pod', { ...podFields(pod), error: verdict.message });
      }
      if (verdict.isTold) this.#failed(pod, verdict.message);
    }
    this.judged(ignored.map(({ pod }) => ({ uid: pod.metadata.uid })));
  }

  rejected(rejections: readonly { readonly pod: PodView; readonly message: string }[]): void {
    const { log } = this.#context;
    for (const { pod, message } of rejections) {
      log.error('could not schedule pod', { ...podFields(pod), error: message });
      this.#failed(pod, message);
    }
    this.judged(rejections.map(({ pod }) => ({ uid: pod.metadata.uid })));
  }

  unschedulable(count: number): void {
    this.#context.meters.set(schedulerMetrics.unschedulablePods, { controller }, count);
  }

  deferred(pods: readonly PodView[]): void {
    if (pods.length === 0) return;
    this.#context.log.debug(
      'deferring scheduling decision for provisionable pod(s) to future simulation due to limited reserved offering capacity',
      { Pods: podNames(pods) },
    );
  }

  /** CandidateMessage only beside new claims: a plan that makes none is of no interest. */
  planned(plan: Plan, pods: readonly PodView[], duration: DurationMs): void {
    const { log } = this.#context;
    if (plan.newNodes.length === 0) return;
    log.info('found provisionable pod(s)', {
      Pods: podNames(pods),
      duration: formatDuration(durationMsToNs(duration)),
    });
    log.info('computed new nodeclaim(s) to fit pod(s)', {
      nodeclaims: plan.newNodes.length,
      pods: countPods(plan.newNodes),
    });
    if (plan.placements.length === 0) return;
    log.info('computed unready node(s) will fit pod(s)', {
      nodes: plan.placements.length,
      pods: countPods(plan.placements),
    });
  }

  poolsSkipped({ notReady, snapshot }: PlanInput, failures: ReadonlyMap<string, unknown>): void {
    const { log } = this.#context;
    for (const nodePool of notReady) log.error('ignoring nodepool, not ready', poolFields(nodePool));
    for (const nodePool of snapshot.nodePools) {
      const { name } = nodePool.metadata;
      const fields = poolFields(nodePool);
      if (failures.has(name)) {
        const error = errorFields(failures.get(name));
        log.error('skipping, unable to resolve instance types', { ...fields, ...error });
      } else if ((snapshot.instanceTypes.get(name) ?? []).length === 0) {
        log.info('skipping, no resolved instance types found', fields);
      }
    }
  }

  poolsIncompatible(barren: readonly IncompatiblePool[]): void {
    const { log, recorder } = this.#context;
    for (const { nodePool, lacksVariety } of barren) {
      log.info('skipping, nodepool requirements filtered out all instance types', poolFields(nodePool));
      recorder.publish({
        definition: events.noCompatibleInstanceTypes,
        kind: nodePools,
        object: nodePool,
        message: `NodePool requirements filtered out all compatible available instance types${lacksVariety ? ' due to minValues incompatibility' : ''}`,
      });
    }
  }

  #failed(pod: PodView, message: string): void {
    this.#context.recorder.publish({
      definition: events.failedScheduling,
      kind: kinds.pod,
      object: eventObject(pod),
      message: `Failed to schedule pod, ${message}`,
    });
  }
}

/** Whether what stands in the way of the pod is nothing but a want of devices. */
export function wantsDevices({ verdict }: IgnoredPod): boolean {
  return verdict.reasons.every(({ cause }) => cause === 'dynamic-resources');
}

function podFields({ metadata: { name, namespace } }: Pick<PodView, 'metadata'>): LogFields {
  return { Pod: { name, namespace } };
}

function poolFields({ metadata: { name } }: NodePool): LogFields {
  return { NodePool: { name } };
}

function podNames(pods: readonly PodView[]): string {
  return listedNames(pods.map(({ metadata: { namespace, name } }) => `${namespace}/${name}`));
}

function countPods(places: readonly { readonly pods: readonly string[] }[]): number {
  return places.reduce((sum, { pods }) => sum + pods.length, 0);
}
