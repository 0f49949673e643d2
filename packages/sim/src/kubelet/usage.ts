import {
  formatQuantity,
  parseResourceList,
  quantityFromInteger,
  quantityFromMilli,
  type ResourceList,
  resourceAmount,
  sumResources,
  toInteger,
  toMilli,
} from '@karpenter/core/values';
import type { Container, Pod } from 'kubernetes-types/core/v1.js';
import { hashText } from '../objects/chance.ts';

/** CPU and memory usage, as `kubectl top` shows it. */
export type Usage = Readonly<Record<'cpu' | 'memory', string>>;

/** The usage of a container without requests. */
const idle = { cpu: quantityFromMilli(1), memory: quantityFromInteger(8 * 1024 * 1024, 'BinarySI') };
/** The usage of kubelet and system. */
const system = { cpu: quantityFromMilli(50), memory: quantityFromInteger(400 * 1024 * 1024, 'BinarySI') };

/**
 * A constant share of the requests, from 0.2 to 0.9, that depends on the container. There is no real load to
 * measure.
 */
function containerUsage({ name, resources }: Container, uid: string): ResourceList {
  const requests = parseResourceList(resources?.requests);
  const share = BigInt(200 + (hashText(`${uid}/${name}`) % 700));
  const cpu = (toMilli(resourceAmount(requests, 'cpu')) * share) / 1000n;
  const memory = (toInteger(resourceAmount(requests, 'memory')) * share) / 1000n;
  return {
    cpu: cpu > 0n ? quantityFromMilli(cpu) : idle.cpu,
    memory: memory > 0n ? quantityFromInteger(memory, 'BinarySI') : idle.memory,
  };
}

function containerUsages({ metadata, spec, status }: Pod): readonly (readonly [string, ResourceList])[] {
  if (status?.phase !== 'Running') return [];
  return (spec?.containers ?? []).map((one) => [one.name, containerUsage(one, metadata?.uid ?? '')]);
}

function usageOf(use: ResourceList): Usage {
  return {
    cpu: formatQuantity(resourceAmount(use, 'cpu')),
    memory: formatQuantity(resourceAmount(use, 'memory')),
  };
}

/** The usage per container; undefined for a pod that does not run. */
export function podUsage(pod: Pod): Readonly<Record<string, Usage>> | undefined {
  const uses = containerUsages(pod);
  if (uses.length === 0) return undefined;
  return Object.fromEntries(uses.map(([name, use]) => [name, usageOf(use)]));
}

export function nodeUsage(pods: readonly Pod[]): Usage {
  return usageOf(sumResources(system, ...pods.flatMap((pod) => containerUsages(pod).map(([, use]) => use))));
}
