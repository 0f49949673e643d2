import type { Taint } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import type { Node } from 'kubernetes-types/core/v1.js';
import type { PodInfo } from '../kube-scheduler/pods/pod-info.ts';
import { NodeInfo } from '../kube-scheduler/state/node-info.ts';
import { instantOf } from '../objects/timestamp.ts';
import { admissionRejection, type Rejection } from './admission.ts';
import type { NodeState } from './node-object.ts';
import {
  type BootDelays,
  type NodeFault,
  type PodDelays,
  type SimulatedNode,
  usualBoot,
  usualPods,
} from './simulated-node.ts';

export const leaseRenewalMs = 10_000;
export const statusReportMs = 5 * 60_000;
const uninitializedTaint = 'node.cloudprovider.kubernetes.io/uninitialized';

/** A pod that the kubelet took on. */
export interface PodRun {
  readonly uid: string;
  readonly admittedAt: Instant;
  readonly podIp: string;
}

/** What one kubelet knows and remembers; it decides, the fleet acts. */
export class Kubelet {
  readonly node: SimulatedNode;
  readonly delays: PodDelays;
  readonly runs = new Map<string, PodRun>();
  fault: NodeFault = 'none';
  registeredAt: Instant | undefined;
  leaseRenewedAt: Instant | undefined;
  statusReportedAt: Instant | undefined;
  reported: NodeState | undefined;
  readonly #info: NodeInfo;
  readonly #boot: BootDelays;
  readonly #startedAt: Instant;

  constructor(node: SimulatedNode, startedAt: Instant) {
    this.node = node;
    this.delays = { ...usualPods, ...node.pods };
    this.#boot = { ...usualBoot, ...node.boot };
    this.#info = new NodeInfo(node.name);
    this.#startedAt = startedAt;
  }

  /** Undefined for a machine that never joins. */
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

  stateAt(now: Instant): NodeState {
    return {
      isReady: now >= this.readyAt,
      hasFailed: this.fault === 'failed',
      hasDevices: now >= this.devicesAt,
    };
  }

  /** Goes on with a Node that this machine registered: what was booted then need not boot again. */
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

  /** The API server's word about the node: labels and taints may be others' doing. */
  observe(node: Node): void {
    this.#info.describe(node);
    this.#info.labels = node.metadata?.labels ?? {};
  }

  admit(pod: PodInfo, run: PodRun): Rejection | undefined {
    const rejection = admissionRejection(pod, this.#info);
    if (rejection === undefined) this.resume(pod, run);
    return rejection;
  }

  /** Takes on a pod that runs already. */
  resume(pod: PodInfo, run: PodRun): void {
    this.#info.add(pod);
    this.runs.set(pod.key, run);
  }

  /** Whatever the pod took is free again. */
  release(key: string): void {
    const pod = this.#info.pods.get(key);
    if (pod !== undefined) this.#info.remove(pod);
  }

  forget(key: string): void {
    this.release(key);
    this.runs.delete(key);
  }

  /** Taints that are to go by now, as the cloud's controller and daemons would take them away. */
  isToClear({ key }: Taint, now: Instant): boolean {
    if (key === uninitializedTaint) return true;
    const cleared = this.node.clearedTaints?.find((taint) => taint.key === key);
    return cleared !== undefined && now >= this.readyAt + cleared.after;
  }

  /** The next moment at which the node itself has something to do. */
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
