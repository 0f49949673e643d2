import { passedOverCause } from '../../pending-pods/index.ts';
import type { ClusterPod } from '../cluster-object.ts';
import { OrderedMap } from '../collections/ordered-map.ts';
import { keyOf } from '../collections/versioned-objects.ts';
import type { NodeTable } from '../nodes/node-table.ts';
import type { PodSchedulingDecision } from '../state-event.ts';
import type { DaemonPods } from './daemon-pods.ts';
import { isTerminal, nodeNameOf, podState } from './pod-state.ts';
import { acknowledged, decided, type PodTimes } from './pod-times.ts';
import { SharedRequests } from './shared-requests.ts';

export interface ClusterPodsOptions {
  readonly nodes: NodeTable;
  readonly daemons: DaemonPods;
  readonly podNamed: (key: string) => ClusterPod | undefined;
}

/**
 * Indexes each pod where it counts: on its node, among the pending pods, and as the sample pod of its
 * DaemonSet.
 */
export class ClusterPods {
  readonly #options: ClusterPodsOptions;
  readonly #pending = new OrderedMap<ClusterPod>();
  readonly #keyOfUid = new Map<string, string>();
  readonly #times = new Map<string, PodTimes>();
  readonly #requests = new SharedRequests();

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

  /** Whether the pod exists and is not bound to a node. */
  isWaiting(uid: string): boolean {
    const pod = this.byUid(uid);
    return pod !== undefined && nodeNameOf(pod) === undefined;
  }

  times(uid: string): PodTimes | undefined {
    return this.#times.get(uid);
  }

  /** Computes the requests first, so a pod with an invalid quantity throws before anything has changed. */
  put(pod: ClusterPod, previous: ClusterPod | undefined): void {
    const nodeName = boundTo(pod);
    const state = nodeName === undefined ? undefined : podState(pod, nodeName, this.#requests);
    if (previous !== undefined) this.#replace(previous, pod, nodeName);
    if (nodeName !== undefined && state !== undefined) this.#options.nodes.putPod(nodeName, state);
    if (nodeNameOf(pod) !== undefined) this.#options.nodes.endNominations(pod.metadata.uid);
    this.#keyOfUid.set(pod.metadata.uid, keyOf(pod));
    this.#options.daemons.putPod(pod);
    this.#updatePending(pod);
  }

  remove(pod: ClusterPod): void {
    this.#leaveNode(pod, undefined);
    this.#pending.delete(keyOf(pod));
    this.#options.nodes.endNominations(pod.metadata.uid);
    this.#options.daemons.removePod(pod);
    this.#keyOfUid.delete(pod.metadata.uid);
    this.#times.delete(pod.metadata.uid);
  }

  acknowledge(uid: string, at: number): void {
    if (this.byUid(uid) !== undefined) this.#times.set(uid, acknowledged(this.#times.get(uid) ?? {}, at));
  }

  /**
   * Records the result of a pass. For a bound pod only the time of the decision matters: it has a node
   * already.
   */
  decide(decision: PodSchedulingDecision, at: number): void {
    const { uid } = decision;
    const pod = this.byUid(uid);
    if (pod === undefined) return;
    const times = this.#times.get(uid) ?? {};
    if (nodeNameOf(pod) === undefined) this.#times.set(uid, decided(times, decision, at));
    else this.#times.set(uid, { ...times, decided: times.decided ?? at });
  }

  /**
   * Removes the previous version from where it counted. If the pod stays on its node, `putPod` replaces it
   * there.
   */
  #replace(previous: ClusterPod, pod: ClusterPod, nodeName: string | undefined): void {
    // Another pod of the same name, such as that of a StatefulSet, inherits no times and no nominations.
    if (previous.metadata.uid !== pod.metadata.uid) this.remove(previous);
    this.#leaveNode(previous, nodeName);
    this.#options.daemons.removePod(previous);
  }

  #leaveNode(pod: ClusterPod, next: string | undefined): void {
    const nodeName = boundTo(pod);
    if (nodeName !== undefined && nodeName !== next) this.#options.nodes.removePod(nodeName, keyOf(pod));
  }

  #updatePending(pod: ClusterPod): void {
    if (passedOverCause(pod) === undefined) this.#pending.set(keyOf(pod), pod);
    else this.#pending.delete(keyOf(pod));
  }
}

/** The node whose resources the pod uses. Terminal pods use none. */
function boundTo(pod: ClusterPod): string | undefined {
  return isTerminal(pod) ? undefined : nodeNameOf(pod);
}
