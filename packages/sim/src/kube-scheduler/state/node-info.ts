import { parseResourceList, type Taint } from '@karpenter/core/values';
import type { Node } from 'kubernetes-types/core/v1.js';
import { addAmounts, amountsOf, noAmounts, type SchedulerAmounts, wholeUnits } from '../pods/amounts.ts';
import type { PodInfo } from '../pods/pod-info.ts';

/** A node with the totals of its pods, updated incrementally. */
export class NodeInfo {
  readonly name: string;
  readonly pods = new Map<string, PodInfo>();
  readonly requested: SchedulerAmounts = noAmounts();
  readonly nonZeroRequests = { milliCpu: 0, memory: 0 };
  allocatable: SchedulerAmounts = noAmounts();
  allowedPods = 0;
  labels: Readonly<Record<string, string>> = {};
  taints: readonly Taint[] = [];
  isCordoned = false;
  /** Undefined while only its pods are known: watches of pods and nodes are not ordered. */
  node: Node | undefined;

  constructor(name: string) {
    this.name = name;
  }

  describe(node: Node): void {
    const allocatable = parseResourceList(node.status?.allocatable ?? node.status?.capacity);
    this.node = node;
    this.taints = node.spec?.taints ?? [];
    this.isCordoned = node.spec?.unschedulable === true;
    this.allocatable = amountsOf(allocatable);
    this.allowedPods = wholeUnits(allocatable, 'pods');
  }

  add(pod: PodInfo): void {
    this.pods.set(pod.key, pod);
    this.#count(pod, 1);
  }

  remove(pod: PodInfo): void {
    if (this.pods.delete(pod.key)) this.#count(pod, -1);
  }

  #count(pod: PodInfo, by: 1 | -1): void {
    addAmounts(this.requested, pod.requests, by);
    this.nonZeroRequests.milliCpu += by * pod.nonZeroRequests.milliCpu;
    this.nonZeroRequests.memory += by * pod.nonZeroRequests.memory;
  }
}
