import {
  podRequests,
  quantityFromInteger,
  quantityFromMilli,
  type ResourceList,
  resourceAmount,
  sumResources,
  toInteger,
  toMilli,
} from '@karpenter/core/values';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { hashText } from '../objects/chance.ts';

/** What a node or pod uses, for `kubectl top`. */
export interface Usage {
  readonly cpu: ResourceList[string];
  readonly memory: ResourceList[string];
}

const idle: Usage = { cpu: quantityFromMilli(1), memory: quantityFromInteger(8 * 1024 * 1024, 'BinarySI') };
/** The kubelet and the system itself. */
const system: Usage = {
  cpu: quantityFromMilli(50),
  memory: quantityFromInteger(400 * 1024 * 1024, 'BinarySI'),
};

/** Made from the requests: a steady share of them that is each pod's own, from two to nine tenths. */
export function podUsage(pod: Pod): Usage | undefined {
  if (pod.status?.phase !== 'Running') return undefined;
  const requests = podRequests(pod);
  const share = 200 + (hashText(pod.metadata?.uid ?? pod.metadata?.name ?? '') % 700);
  const cpu = (toMilli(resourceAmount(requests, 'cpu')) * BigInt(share)) / 1000n;
  const memory = (toInteger(resourceAmount(requests, 'memory')) * BigInt(share)) / 1000n;
  return {
    cpu: cpu > 0n ? quantityFromMilli(cpu) : idle.cpu,
    memory: memory > 0n ? quantityFromInteger(memory, 'BinarySI') : idle.memory,
  };
}

export function nodeUsage(pods: readonly Pod[]): Usage {
  const usages = pods.flatMap((pod) => podUsage(pod) ?? []).map(({ cpu, memory }) => ({ cpu, memory }));
  const { cpu = system.cpu, memory = system.memory } = sumResources({ ...system }, ...usages);
  return { cpu, memory };
}
