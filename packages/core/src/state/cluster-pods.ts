import { passedOverCause } from '../pending-pods/index.ts';
import type { ClusterPod } from './cluster-object.ts';
import type { DaemonPods } from './daemon-pods.ts';
import type { NodeTable } from './node-table.ts';
import { OrderedMap } from './ordered-map.ts';
import { isTerminal, nodeNameOf, podState } from './pod-state.ts';
import { acknowledged, judged, type PodTimes } from './pod-times.ts';
import type { PodJudgement } from './state-event.ts';
import { keyOf } from './versioned-objects.ts';

export interface ClusterPodsOptions {
  readonly nodes: NodeTable;
  readonly daemons: DaemonPods;
  readonly podNamed: (key: string) => ClusterPod | undefined;
}

/** Where each pod counts: on its node, among those that wait, as the example of its DaemonSet. */
export class ClusterPods {
  readonly #options: ClusterPodsOptions;
  readonly #pending = new OrderedMap<ClusterPod>();
  readonly #keyOfUid = new Map<string, string>();
  readonly #times = new Map<string, PodTimes>();

  constructor(options: ClusterPodsOptions) {
    this.#options = options;
  }

  get pending(): readonly ClusterPod[] {
    return this.#pending.values();
  }

  byUid(uid: string): ClusterPod | undefined {
    const key = this.#keyOfUid.get(uid);
    return key === undefined ? undefined : this.#options.podNamed(key);
  }

  pendingByUid(uid: string): ClusterPod | undefined {
    const key = this.#keyOfUid.get(uid);
    return key === undefined ? undefined : this.#pending.get(key);
  }

  times(uid: string): PodTimes | undefined {
    return this.#times.get(uid);
  }

  /** A pod that cannot be read changes nothing: what it takes is worked out first. */
  put(pod: ClusterPod, previous: ClusterPod | undefined): void {
    const nodeName = boundTo(pod);
    const state = nodeName === undefined ? undefined : podState(pod, nodeName);
    if (previous !== undefined) this.#replace(previous, pod, nodeName);
    if (nodeName !== undefined && state !== undefined) this.#options.nodes.putPod(nodeName, state);
    this.#keyOfUid.set(pod.metadata.uid, keyOf(pod));
    this.#options.daemons.putPod(pod);
    this.#await(pod);
  }

  remove(pod: ClusterPod): void {
    this.#leaveNode(pod, undefined);
    this.#pending.delete(keyOf(pod));
    this.#options.daemons.removePod(pod);
    this.#keyOfUid.delete(pod.metadata.uid);
    this.#times.delete(pod.metadata.uid);
  }

  acknowledge(uid: string, at: number): void {
    if (this.byUid(uid) !== undefined) this.#times.set(uid, acknowledged(this.#times.get(uid) ?? {}, at));
  }

  /** Pods that are bound have their place already: only that they were judged is worth knowing. */
  judge(judgement: PodJudgement, at: number): void {
    const { uid } = judgement;
    const pod = this.byUid(uid);
    if (pod === undefined) return;
    const times = this.#times.get(uid) ?? {};
    if (nodeNameOf(pod) === undefined) this.#times.set(uid, judged(times, judgement, at));
    else this.#times.set(uid, { ...times, decided: times.decided ?? at });
  }

  /** Where the pod stays on its node it is counted there once more by what it is now. */
  #replace(previous: ClusterPod, pod: ClusterPod, nodeName: string | undefined): void {
    if (previous.metadata.uid !== pod.metadata.uid) this.remove(previous);
    this.#leaveNode(previous, nodeName);
    this.#options.daemons.removePod(previous);
  }

  #leaveNode(pod: ClusterPod, next: string | undefined): void {
    const nodeName = boundTo(pod);
    if (nodeName !== undefined && nodeName !== next) this.#options.nodes.removePod(nodeName, keyOf(pod));
  }

  #await(pod: ClusterPod): void {
    if (passedOverCause(pod) === undefined) this.#pending.set(keyOf(pod), pod);
    else this.#pending.delete(keyOf(pod));
  }
}

/** The node that the pod takes room of; pods that have ended take none. */
function boundTo(pod: ClusterPod): string | undefined {
  return isTerminal(pod) ? undefined : nodeNameOf(pod);
}
