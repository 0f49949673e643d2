import { hostPortsClash, untolerated } from '@karpenter/core/values';
import type { SchedulerAmounts } from '../kube-scheduler/pods/amounts.ts';
import type { PodInfo } from '../kube-scheduler/pods/pod-info.ts';
import type { NodeInfo } from '../kube-scheduler/state/node-info.ts';

/** Why a kubelet rejects a pod that is bound to its node; the pod then fails. */
export interface AdmissionRejection {
  readonly reason: string;
  readonly message: string;
}

/**
 * Repeats the node filters of the scheduler, as the kubelet does: another pod may have arrived first, or the
 * node may have changed. Reasons and messages are those of the kubelet.
 */
export function admissionRejection(pod: PodInfo, info: NodeInfo): AdmissionRejection | undefined {
  return outOfResource(pod, info) ?? mismatch(pod, info);
}

function outOfResource({ requests }: PodInfo, info: NodeInfo): AdmissionRejection | undefined {
  if (info.pods.size + 1 > info.allowedPods) {
    return outOf('pods', { requested: 1, used: info.pods.size, capacity: info.allowedPods });
  }
  for (const [name, wanted] of named(requests)) {
    const used = amountOf(info.requested, name);
    const capacity = amountOf(info.allocatable, name);
    if (wanted > 0 && wanted > capacity - used) return outOf(name, { requested: wanted, used, capacity });
  }
  return undefined;
}

interface ResourceAmounts {
  readonly requested: number;
  readonly used: number;
  readonly capacity: number;
}

function outOf(name: string, { requested, used, capacity }: ResourceAmounts): AdmissionRejection {
  return {
    reason: `OutOf${name}`,
    message: `Node didn't have enough resource: ${name}, requested: ${requested}, used: ${used}, capacity: ${capacity}`,
  };
}

function named(amounts: SchedulerAmounts): readonly (readonly [string, number])[] {
  return [
    ['cpu', amounts.milliCpu],
    ['memory', amounts.memory],
    ['ephemeral-storage', amounts.ephemeralStorage],
    ...amounts.others,
  ];
}

function amountOf(amounts: SchedulerAmounts, name: string): number {
  if (name === 'cpu') return amounts.milliCpu;
  if (name === 'memory') return amounts.memory;
  return name === 'ephemeral-storage' ? amounts.ephemeralStorage : (amounts.others.get(name) ?? 0);
}

function mismatch(pod: PodInfo, info: NodeInfo): AdmissionRejection | undefined {
  if (info.node !== undefined && pod.requiredNodes?.(info.node) === false) {
    return failed('NodeAffinity', "node(s) didn't match Pod's node affinity/selector");
  }
  for (const other of info.pods.values()) {
    if (hostPortsClash(pod.hostPorts, other.hostPorts)) {
      return failed('NodePorts', "node(s) didn't have free ports for the requested pod ports");
    }
  }
  if (untolerated(info.taints, pod.tolerations).some(({ effect }) => effect === 'NoExecute')) {
    return failed('TaintToleration', "node(s) had taints that the pod didn't tolerate");
  }
  return undefined;
}

function failed(predicate: string, description: string): AdmissionRejection {
  return { reason: predicate, message: `Predicate ${predicate} failed: ${description}` };
}
