import { controllerNames, events, type NodePool, podMetrics, schedulerMetrics } from '@karpenter/core/api';
import type { LogFields } from '@karpenter/core/ports';
import {
  type IgnoredPod,
  type IncompatiblePool,
  listedNames,
  type Nomination,
  type PlanInput,
} from '@karpenter/core/provisioning';
import { isUpcomingUid, type Plan, type PodView } from '@karpenter/core/scheduling';
import type { PodSchedulingDecision } from '@karpenter/core/state';
import { type DurationMs, durationMsToNs, formatDuration } from '@karpenter/core/values';
import { kinds } from '@karpenter/kube/client';
import { nodePools } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import { errorFields } from '../operator/index.ts';
import { eventObject, nominationEvent } from './nomination-event.ts';

type ReportContext = Pick<ControllerContext, 'cluster' | 'recorder' | 'meters' | 'log' | 'clock'>;

const controller = controllerNames.provisioner;

/**
 * Reports the outcome of a pass: events on pods and NodePools, metrics and log lines, with Karpenter's texts.
 * It also records scheduling decisions in the cluster state, from which the pod metrics are computed.
 */
export class PassReport {
  readonly #context: ReportContext;

  constructor(context: ReportContext) {
    this.#context = context;
  }

  /**
   * Records decisions on pods, and observes how long the first decision took since the pod was acknowledged.
   */
  decided(decisions: readonly PodSchedulingDecision[]): void {
    const { cluster, clock, meters } = this.#context;
    const at = clock.now();
    for (const { uid } of decisions) {
      const times = cluster.state.podTimes(uid);
      if (times?.acknowledged === undefined || times.decided !== undefined) continue;
      meters.observe(podMetrics.schedulingDecisionDuration, {}, (at - times.acknowledged) / 1000);
    }
    // After the loop, which recognises first decisions by their missing time.
    cluster.learn({ type: 'podsDecided', decisions, at });
  }

  nominated(nominations: readonly Nomination[]): void {
    this.#context.recorder.publish(...nominations.map(nominationEvent));
  }

  /**
   * Reports pods that are not planned for. Pods that are ignored only because they claim devices are counted
   * by the caller as unschedulable, not here as ignored.
   */
  ignored(ignored: readonly IgnoredPod[]): void {
    const { log, meters } = this.#context;
    const invalid = ignored.filter((each) => !isIgnoredForDevices(each));
    meters.set(schedulerMetrics.ignoredPods, {}, invalid.length);
    for (const each of ignored) {
      const { pod, verdict } = each;
      if (isIgnoredForDevices(each)) {
        log.info(
          'skipping pod with Dynamic Resource Allocation requirements, not yet supported by Karpenter',
          podFields(pod),
        );
      } else {
        log.debug('ignoring pod', { ...podFields(pod), error: verdict.message });
      }
      if (verdict.isReported) this.#publishFailedScheduling(pod, verdict.message);
    }
    this.decided(ignored.map(({ pod }) => ({ uid: pod.metadata.uid })));
  }

  /** Reports pods for which the plan found no place. */
  rejected(rejections: readonly { readonly pod: PodView; readonly message: string }[]): void {
    const { log } = this.#context;
    for (const { pod, message } of rejections) {
      log.error('could not schedule pod', { ...podFields(pod), error: message });
      this.#publishFailedScheduling(pod, message);
    }
    this.decided(rejections.map(({ pod }) => ({ uid: pod.metadata.uid })));
  }

  unschedulable(count: number): void {
    this.#context.meters.set(schedulerMetrics.unschedulablePods, { controller }, count);
  }

  /**
   * Reports pods that wait for the next plan, because this one has assigned all reserved capacity they could
   * use.
   */
  deferred(pods: readonly PodView[]): void {
    if (pods.length === 0) return;
    this.#context.log.debug(
      'deferring scheduling decision for provisionable pod(s) to future simulation due to limited reserved offering capacity',
      { Pods: podNames(pods) },
    );
  }

  /**
   * Reports pods that wait for the next plan: launching NodeClaims count against limits as the largest instance they
   * may become, and may leave room once they are launched (ADR 0015).
   */
  waiting(pods: readonly PodView[]): void {
    if (pods.length === 0) return;
    this.#context.log.debug(
      'deferring scheduling decision for provisionable pod(s) until launching nodeclaims leave room within nodepool limits',
      { Pods: podNames(pods) },
    );
  }

  /** Logs what was planned, but only when the plan creates NodeClaims. */
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

  /** Logs NodePools without instance types to plan with: not ready, failed to list them, or none offered. */
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

  /** Reports NodePools whose requirements leave no instance type. */
  poolsIncompatible(incompatible: readonly IncompatiblePool[]): void {
    const { log, recorder } = this.#context;
    for (const { nodePool, lacksVariety } of incompatible) {
      log.info('skipping, nodepool requirements filtered out all instance types', poolFields(nodePool));
      recorder.publish({
        definition: events.noCompatibleInstanceTypes,
        kind: nodePools,
        object: nodePool,
        message: `NodePool requirements filtered out all compatible available instance types${lacksVariety ? ' due to minValues incompatibility' : ''}`,
      });
    }
  }

  #publishFailedScheduling(pod: PodView, message: string): void {
    this.#context.recorder.publish({
      definition: events.failedScheduling,
      kind: kinds.pod,
      object: eventObject(pod),
      message: `Failed to schedule pod, ${message}`,
    });
  }
}

/** Whether a pod is ignored for no other reason than that it claims devices. */
export function isIgnoredForDevices({ verdict }: IgnoredPod): boolean {
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
  return places.reduce((sum, { pods }) => sum + pods.filter((uid) => !isUpcomingUid(uid)).length, 0);
}
