import type { CacheSet, WatchCache } from '@karpenter/kube/cache';
import { type Kind, type KubeObject, kinds } from '@karpenter/kube/client';
import type { Node, Pod } from 'kubernetes-types/core/v1.js';
import { keyTextOf } from '../objects/object-key.ts';
import { isFinished, isTerminating } from '../objects/pod-status.ts';
import { prepare } from './fit.ts';
import { type PodInfo, podInfo } from './pods/pod-info.ts';
import type { SchedulingQueue } from './scheduling-queue.ts';
import type { ClusterState } from './state/cluster-state.ts';

export interface ClusterFeedOptions {
  readonly caches: CacheSet;
  readonly state: ClusterState;
  readonly queue: SchedulingQueue;
  readonly schedulerName: string;
  /** Something may be there to schedule. */
  readonly onWork: () => void;
  /** A pod is bound or gone: nothing is kept for it any more. */
  readonly onSettled: (key: string) => void;
}

interface Handlers<T> {
  set(object: T): void;
  remove(object: T): void;
}

function isAboutOthers({ terms, spread }: PodInfo): boolean {
  return terms.together.length + terms.apart.length + spread.length > 0;
}

function usesVolumes({ claims }: PodInfo): boolean {
  return claims.length > 0;
}

/** Keeps the state and the queue up to date with what the API server says. */
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
        this.#activate(isAboutOthers);
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
        this.#activate(isAboutOthers);
        return;
      }
      if (previous !== undefined && !isNewsOfNode(previous, object)) return;
      state.setNode(object);
      this.#activate((pod) => isAboutOthers(pod) || this.#fits(pod, name));
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
      if (type === 'deleted' || isFinished(object)) this.#leave(object);
      else if (object.spec?.nodeName) this.#settle(object, object.spec.nodeName);
      else this.#await(object);
    });
    this.#stops.push(stop);
  }

  #leave(pod: Pod): void {
    const { state, queue, onSettled } = this.#options;
    const key = keyTextOf(pod);
    const placed = state.placement(key);
    queue.remove(key);
    onSettled(key);
    if (placed === undefined) return;
    state.unplace(key);
    this.#activate((other) => isAboutOthers(other) || this.#fits(other, placed.info.name));
  }

  #settle(pod: Pod, nodeName: string): void {
    const { state, queue, onSettled } = this.#options;
    const key = keyTextOf(pod);
    const placed = state.placement(key);
    queue.remove(key);
    onSettled(key);
    if (placed?.info.name === nodeName && isSameToOthers(placed.pod.pod, pod)) return;
    state.place(podInfo(pod), nodeName);
    this.#activate(isAboutOthers);
  }

  #await(pod: Pod): void {
    const { state, queue, schedulerName, onWork } = this.#options;
    const key = keyTextOf(pod);
    const isOurs = (pod.spec?.schedulerName ?? schedulerName) === schedulerName;
    if (!isOurs || isTerminating(pod) || (pod.spec?.schedulingGates ?? []).length > 0) {
      queue.remove(key);
      return;
    }
    const info = podInfo(pod);
    // A pod that is being bound, or whose status alone changed, has had its turn.
    if (state.placement(key) !== undefined || queue.get(key)?.classKey === info.classKey) return;
    queue.add(info);
    onWork();
  }
}

/** Heartbeats and conditions change nothing for pods. */
function isNewsOfNode(before: Node, after: Node): boolean {
  const relevant = ({ metadata, spec, status }: Node) =>
    JSON.stringify([metadata?.labels, spec?.taints, spec?.unschedulable, status?.allocatable]);
  return relevant(before) !== relevant(after);
}

function isSameToOthers(before: Pod, after: Pod): boolean {
  return (
    before.metadata?.uid === after.metadata?.uid &&
    isTerminating(before) === isTerminating(after) &&
    before.metadata?.generation === after.metadata?.generation &&
    JSON.stringify(before.metadata?.labels) === JSON.stringify(after.metadata?.labels)
  );
}
