import type { CacheSet, WatchCache } from '@karpenter/kube/cache';
import { type Kind, type KubeObject, kinds } from '@karpenter/kube/client';
import type { Node, Pod } from 'kubernetes-types/core/v1.js';
import { keyTextOf } from '../objects/object-key.ts';
import { isFinished, isTerminating } from '../objects/pod-status.ts';
import { prepare } from './fit.ts';
import { type PodInfo, podInfo } from './pods/pod-info.ts';
import type { SchedulingQueue } from './scheduling-queue.ts';
import type { SchedulerState } from './state/cluster-state.ts';

export interface ClusterFeedOptions {
  readonly caches: CacheSet;
  readonly state: SchedulerState;
  readonly queue: SchedulingQueue;
  readonly schedulerName: string;
  /** Called when a pod may be ready to schedule. */
  readonly onWork: () => void;
  /** Called when a pod is bound or gone, so that its nomination ends. */
  readonly onSettled: (key: string) => void;
}

interface Handlers<T> {
  set(object: T): void;
  remove(object: T): void;
}

/** Whether the placement or removal of any other pod may make this pod schedulable, on any node. */
function dependsOnOtherPods({ terms, spread }: PodInfo): boolean {
  return terms.requiredAffinity.length + terms.requiredAntiAffinity.length + spread.length > 0;
}

function usesVolumes({ claims }: PodInfo): boolean {
  return claims.length > 0;
}

/**
 * Keeps the cluster state and the scheduling queue in step with the watch caches. For each event it retries
 * only the waiting pods that the event may help, like the queueing hints of kube-scheduler.
 */
export class ClusterFeed {
  readonly #options: ClusterFeedOptions;
  readonly #stops: (() => void)[] = [];

  constructor(options: ClusterFeedOptions) {
    this.#options = options;
  }

  start(): void {
    const { state } = this.#options;
    const { volumes, workloads } = state;
    const aboutVolumes = <T>(set: (object: T) => void, remove: (object: T) => void): Handlers<T> => ({
      set: (object) => {
        set(object);
        this.#activate(usesVolumes);
      },
      remove,
    });
    this.#follow(kinds.namespace, {
      set: (namespace) => {
        state.setNamespace(namespace);
        this.#activate(dependsOnOtherPods);
      },
      remove: (namespace) => state.removeNamespace(namespace),
    });
    this.#follow(kinds.service, {
      set: (service) => workloads.setService(service),
      remove: (service) => workloads.removeService(service),
    });
    this.#follow(kinds.replicaSet, {
      set: (workload) => workloads.setWorkload(workload),
      remove: (workload) => workloads.removeWorkload(workload),
    });
    this.#follow(kinds.statefulSet, {
      set: (workload) => workloads.setWorkload(workload),
      remove: (workload) => workloads.removeWorkload(workload),
    });
    this.#follow(
      kinds.storageClass,
      aboutVolumes(
        (object) => volumes.setClass(object),
        (object) => volumes.removeClass(object),
      ),
    );
    this.#follow(
      kinds.persistentVolume,
      aboutVolumes(
        (object) => volumes.setVolume(object),
        (object) => volumes.removeVolume(object),
      ),
    );
    this.#follow(
      kinds.persistentVolumeClaim,
      aboutVolumes(
        (object) => volumes.setClaim(object),
        (object) => volumes.removeClaim(object),
      ),
    );
    this.#follow(
      kinds.csiNode,
      aboutVolumes(
        (object) => volumes.setCsiNode(object),
        (object) => volumes.removeCsiNode(object),
      ),
    );
    this.#followNodes();
    this.#followPods();
  }

  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  #cache<T extends KubeObject>(kind: Kind<T>): WatchCache<T> {
    return this.#options.caches.of(kind);
  }

  #follow<T extends KubeObject>(kind: Kind<T>, { set, remove }: Handlers<T>): void {
    const stop = this.#cache(kind).subscribe(({ type, object }) => {
      if (type === 'deleted') remove(object);
      else set(object);
    });
    this.#stops.push(stop);
  }

  #activate(mayHelp: (example: PodInfo) => boolean): void {
    this.#options.queue.activate(mayHelp);
    this.#options.onWork();
  }

  #followNodes(): void {
    const { state } = this.#options;
    const stop = this.#cache(kinds.node).subscribe(({ type, object, previous }) => {
      const name = object.metadata?.name ?? '';
      if (type === 'deleted') {
        state.removeNode(name);
        this.#activate(dependsOnOtherPods);
        return;
      }
      // Heartbeats make up most Node events; without this check every one would retry all waiting pods.
      if (previous !== undefined && !affectsScheduling(previous, object)) return;
      state.setNode(object);
      this.#activate((pod) => dependsOnOtherPods(pod) || this.#fits(pod, name));
    });
    this.#stops.push(stop);
  }

  #fits(pod: PodInfo, nodeName: string): boolean {
    const { state } = this.#options;
    const node = state.node(nodeName);
    if (node === undefined) return false;
    const { check, refusal } = prepare(pod, state);
    return refusal === undefined && check(node) === undefined;
  }

  #followPods(): void {
    const stop = this.#cache(kinds.pod).subscribe(({ type, object }) => {
      if (type === 'deleted' || isFinished(object)) this.#removePod(object);
      else if (object.spec?.nodeName) this.#placePod(object, object.spec.nodeName);
      else this.#enqueuePod(object);
    });
    this.#stops.push(stop);
  }

  #removePod(pod: Pod): void {
    const { state, queue, onSettled } = this.#options;
    const key = keyTextOf(pod);
    const placed = state.placement(key);
    queue.remove(key);
    onSettled(key);
    if (placed === undefined) return;
    state.unplace(key);
    this.#activate((other) => dependsOnOtherPods(other) || this.#fits(other, placed.info.name));
  }

  #placePod(pod: Pod, nodeName: string): void {
    const { state, queue, onSettled } = this.#options;
    const key = keyTextOf(pod);
    const placed = state.placement(key);
    queue.remove(key);
    onSettled(key);
    if (placed?.info.name === nodeName && looksSameToOthers(placed.pod.pod, pod)) return;
    state.place(podInfo(pod), nodeName);
    this.#activate(dependsOnOtherPods);
  }

  #enqueuePod(pod: Pod): void {
    const { state, queue, schedulerName, onWork } = this.#options;
    const key = keyTextOf(pod);
    const isOurs = (pod.spec?.schedulerName ?? schedulerName) === schedulerName;
    if (!isOurs || isTerminating(pod) || (pod.spec?.schedulingGates ?? []).length > 0) {
      queue.remove(key);
      return;
    }
    const info = podInfo(pod);
    // The scheduler has tried this pod already if it is being bound or only its status changed.
    if (state.placement(key) !== undefined || queue.get(key)?.classKey === info.classKey) return;
    queue.add(info);
    onWork();
  }
}

/** Whether an update of a Node may change where pods fit; heartbeats and conditions do not. */
function affectsScheduling(before: Node, after: Node): boolean {
  const relevant = ({ metadata, spec, status }: Node) =>
    JSON.stringify([metadata?.labels, spec?.taints, spec?.unschedulable, status?.allocatable]);
  return relevant(before) !== relevant(after);
}

/** Whether an update of a bound pod changes nothing for the filters of other pods. */
function looksSameToOthers(before: Pod, after: Pod): boolean {
  return (
    before.metadata?.uid === after.metadata?.uid &&
    isTerminating(before) === isTerminating(after) &&
    before.metadata?.generation === after.metadata?.generation &&
    JSON.stringify(before.metadata?.labels) === JSON.stringify(after.metadata?.labels)
  );
}
