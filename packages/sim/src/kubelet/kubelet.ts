import type { Taint } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import type { Node } from 'kubernetes-types/core/v1.js';
import type { PodInfo } from '../kube-scheduler/pods/pod-info.ts';
import { NodeInfo } from '../kube-scheduler/state/node-info.ts';
import { instantOf } from '../objects/timestamp.ts';
import { type AdmissionRejection, admissionRejection } from './admission.ts';
import type { KubeletNodeState } from './node-object.ts';
import {
  type BootDelays,
  defaultBootDelays,
  defaultPodDelays,
  type NodeFault,
  type PodDelays,
  type SimulatedNode,
} from './simulated-node.ts';

/** The renewal interval of the kubelet: a quarter of the Lease duration of 40 seconds. */
export const leaseRenewalMs = 10_000;
/** The nodeStatusReportFrequency of the kubelet: how often it reports an unchanged status. */
export const statusReportMs = 5 * 60_000;
const uninitializedTaint = 'node.cloudprovider.kubernetes.io/uninitialized';

/** A pod that the kubelet admitted. */
export interface PodRun {
  readonly uid: string;
  readonly admittedAt: Instant;
  readonly podIp: string;
}

/**
 * The state of one kubelet and the decisions that follow from it. It makes no requests: NodeAgent and
 * PodAgent do.
 */
export class Kubelet {
  readonly node: SimulatedNode;
  readonly delays: PodDelays;
  readonly runs = new Map<string, PodRun>();
  fault: NodeFault = 'none';
  registeredAt: Instant | undefined;
  leaseRenewedAt: Instant | undefined;
  statusReportedAt: Instant | undefined;
  reported: KubeletNodeState | undefined;
  readonly #info: NodeInfo;
  readonly #boot: BootDelays;
  readonly #startedAt: Instant;

  constructor(node: SimulatedNode, startedAt: Instant) {
    this.node = node;
    this.delays = { ...defaultPodDelays, ...node.pods };
    this.#boot = { ...defaultBootDelays, ...node.boot };
    this.#info = new NodeInfo(node.name);
    this.#startedAt = startedAt;
  }

  /** When the Node registers; undefined for an instance that never joins. */
  get registersAt(): Instant | undefined {
    const { register } = this.#boot;
    return register === 'never' ? undefined : this.#startedAt + register;
  }

  get readyAt(): Instant {
    return (this.registeredAt ?? Number.POSITIVE_INFINITY) + this.#boot.ready;
  }

  get devicesAt(): Instant {
    return this.node.devices === undefined ? 0 : this.readyAt + this.node.devices.after;
  }

  stateAt(now: Instant): KubeletNodeState {
    return {
      isReady: now >= this.readyAt,
      hasFailed: this.fault === 'failed',
      hasDevices: now >= this.devicesAt,
    };
  }

  /**
   * Continues with a Node that this kubelet registered before a restart: the instance does not boot again.
   */
  resumeNode(node: Node): void {
    this.registeredAt = instantOf(node.metadata?.creationTimestamp) ?? this.registeredAt;
    const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
    const devices = this.node.devices?.names ?? [];
    this.reported = {
      isReady: ready?.status === 'True',
      hasFailed: false,
      hasDevices: devices.every((name) => node.status?.capacity?.[name] !== undefined),
    };
  }

  /** Takes labels, taints and resources from the API server, where others may have changed them. */
  observe(node: Node): void {
    this.#info.describe(node);
    this.#info.labels = node.metadata?.labels ?? {};
  }

  /** Admits a pod and reserves its resources, or returns why it cannot. */
  admit(pod: PodInfo, run: PodRun): AdmissionRejection | undefined {
    const rejection = admissionRejection(pod, this.#info);
    if (rejection === undefined) this.resume(pod, run);
    return rejection;
  }

  /** Adds a pod that runs already, without admission. */
  resume(pod: PodInfo, run: PodRun): void {
    this.#info.add(pod);
    this.runs.set(pod.key, run);
  }

  /** Frees the resources of a pod; its run is remembered until the pod is deleted. */
  release(key: string): void {
    const pod = this.#info.pods.get(key);
    if (pod !== undefined) this.#info.remove(pod);
  }

  forget(key: string): void {
    this.release(key);
    this.runs.delete(key);
  }

  /** Whether a taint is due to be removed, as the cloud controller or a daemon would do it. */
  shouldClear({ key }: Taint, now: Instant): boolean {
    if (key === uninitializedTaint) return true;
    const cleared = this.node.clearedTaints?.find((taint) => taint.key === key);
    return cleared !== undefined && now >= this.readyAt + cleared.after;
  }

  /** When the node needs its next sync. */
  nextAt(now: Instant): Instant {
    const cleared = (this.node.clearedTaints ?? []).map(({ after }) => this.readyAt + after);
    const moments = [
      (this.leaseRenewedAt ?? now) + leaseRenewalMs,
      (this.statusReportedAt ?? now) + statusReportMs,
      this.readyAt,
      this.devicesAt,
      ...cleared,
    ];
    return Math.min(...moments.filter((at) => at > now));
  }
}
