import { controllerNames, podMetrics, reconcilePeriods, timestampMs } from '@karpenter/core/api';
import type { ClusterNode, ClusterPod, PodTimes } from '@karpenter/core/state';
import type { CacheChange } from '@karpenter/kube/cache';
import { keyOf, keyText, kinds, parseKey } from '@karpenter/kube/client';
import { changesOf, type Instant, type Runnable } from '@karpenter/kube/runtime';
import { stateSources } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import { type GaugeReading, GaugeSet } from '../gauges/index.ts';
import { watchPodsOnNodes } from '../instances/index.ts';
import { podStateReading } from './pod-state.ts';

type PodMetricsContext = Pick<ControllerContext, 'caches' | 'cluster' | 'meters' | 'clock'>;

const requeue = { requeueAfter: reconcilePeriods.podMetrics };

/**
 * Publishes the state and the waiting times of each pod, and observes durations once a wait ends. Pods that
 * wait for nothing are reconciled only when they or the labels of their node change: there may be a hundred
 * thousand of them.
 */
export function podStateGauges(context: PodMetricsContext): Runnable {
  const { caches, meters } = context;
  const onNodes = watchPodsOnNodes(caches);
  const pods = onNodes.cache;
  const nodes = caches.of(stateSources.Node);
  const gauges = new GaugeSet(meters);
  const waits = new PodWaits(context);
  return {
    controller: {
      name: controllerNames.podMetrics,
      kind: kinds.pod,
      concurrency: 10,
      reconcile: async (key) => {
        const pod = pods.get(parseKey(key));
        if (pod === undefined) {
          waits.forget(key);
          gauges.forget(key);
          return undefined;
        }
        const node = nodes.get({ name: pod.spec.nodeName ?? '' });
        const waiting = waits.measure(key, pod);
        gauges.show(key, [podStateReading(pod, node), ...waiting]);
        return waiting.length > 0 ? requeue : undefined;
      },
    },
    sources: [
      changesOf(pods),
      changesOf(nodes, (change) =>
        isRelabelled(change) ? onNodes.on(change.object.metadata.name).map((pod) => keyText(keyOf(pod))) : [],
      ),
    ],
  };
}

/** Whether the labels of a Node changed; the state gauges of its pods have some of them as labels. */
function isRelabelled({ type, object, previous }: CacheChange<ClusterNode>): boolean {
  const [now, before] = [object.metadata.labels ?? {}, previous?.metadata.labels ?? {}];
  const keys = [...Object.keys(now), ...Object.keys(before)];
  return type !== 'modified' || keys.some((key) => now[key] !== before[key]);
}

/**
 * How long pods wait for a decision, a node and their start. A duration is observed only for pods that were
 * seen waiting: after a restart all running pods would otherwise be observed once more.
 */
class PodWaits {
  readonly #context: PodMetricsContext;
  /** Uids of pods that were seen unbound, by key. */
  readonly #unbound = new Map<string, string>();
  /** Uids of pods that were seen pending, by key. */
  readonly #unstarted = new Map<string, string>();

  constructor(context: PodMetricsContext) {
    this.#context = context;
  }

  forget(key: string): void {
    this.#unbound.delete(key);
    this.#unstarted.delete(key);
  }

  /** The gauges of waits that are under way; waits that have just ended are observed. */
  measure(key: string, pod: ClusterPod): readonly GaugeReading[] {
    const times = this.#context.cluster.state.podTimes(pod.metadata.uid) ?? {};
    return [
      ...this.#undecided(pod, times),
      ...this.#binding(key, pod, times),
      ...this.#starting(key, pod, times),
    ];
  }

  #undecided(pod: ClusterPod, { acknowledged, decided }: PodTimes): readonly GaugeReading[] {
    if (acknowledged === undefined || decided !== undefined || pod.status?.phase !== 'Pending') return [];
    return [this.#since(podMetrics.schedulingUndecidedTime, pod, acknowledged)];
  }

  #binding(key: string, pod: ClusterPod, { healthySchedulable }: PodTimes): readonly GaugeReading[] {
    const { meters } = this.#context;
    const bound = transitionOf(pod, 'PodScheduled');
    const created = createdAt(pod);
    if (bound === undefined) {
      if (isTerminal(pod)) return [];
      this.#unbound.set(key, pod.metadata.uid);
      return [
        this.#since(podMetrics.unboundTime, pod, created),
        ...(healthySchedulable === undefined
          ? []
          : [this.#since(podMetrics.provisioningUnboundTime, pod, healthySchedulable)]),
      ];
    }
    if (this.#unbound.get(key) !== pod.metadata.uid) return [];
    this.#unbound.delete(key);
    meters.observe(podMetrics.boundDuration, {}, seconds(created, bound));
    if (healthySchedulable !== undefined) {
      meters.observe(podMetrics.provisioningBoundDuration, {}, seconds(healthySchedulable, bound));
    }
    return [];
  }

  #starting(key: string, pod: ClusterPod, { healthySchedulable }: PodTimes): readonly GaugeReading[] {
    const { meters } = this.#context;
    const created = createdAt(pod);
    if (pod.status?.phase === 'Pending') {
      this.#unstarted.set(key, pod.metadata.uid);
      return [
        this.#since(podMetrics.unstartedTime, pod, created),
        ...(healthySchedulable === undefined
          ? []
          : [this.#since(podMetrics.provisioningUnstartedTime, pod, healthySchedulable)]),
      ];
    }
    const ready = transitionOf(pod, 'Ready');
    if (ready === undefined || this.#unstarted.get(key) !== pod.metadata.uid) return [];
    this.#unstarted.delete(key);
    meters.observe(podMetrics.startupDuration, {}, seconds(created, ready));
    if (healthySchedulable !== undefined) {
      meters.observe(podMetrics.provisioningStartupDuration, {}, seconds(healthySchedulable, ready));
    }
    return [];
  }

  #since(
    gauge: GaugeReading['gauge'],
    { metadata: { name, namespace } }: ClusterPod,
    start: Instant,
  ): GaugeReading {
    return { gauge, labels: { name, namespace }, value: { since: start } };
  }
}

function isTerminal({ status }: ClusterPod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** When the condition became True; undefined if it is not True. */
function transitionOf({ status }: ClusterPod, type: string): Instant | undefined {
  const found = (status?.conditions ?? []).find((condition) => condition.type === type);
  return found?.status === 'True' ? timestampMs(found.lastTransitionTime) : undefined;
}

function createdAt({ metadata }: ClusterPod): Instant {
  return timestampMs(metadata.creationTimestamp) ?? 0;
}

function seconds(from: Instant, to: Instant): number {
  return Math.max(0, (to - from) / 1000);
}
