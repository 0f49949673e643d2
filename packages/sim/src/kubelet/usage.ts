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

/** CPU and memory in use, as `kubectl top` reads them. */
export type Usage = Readonly<Record<'cpu' | 'memory', string>>;

/** What a container that requests nothing uses. */
const idle = { cpu: quantityFromMilli(1), memory: quantityFromInteger(8 * 1024 * 1024, 'BinarySI') };
/** The kubelet and the system itself. */
const system = { cpu: quantityFromMilli(50), memory: quantityFromInteger(400 * 1024 * 1024, 'BinarySI') };

/** Made from the requests: a steady share of them that is each container's own, from two to nine tenths. */
function containerUse({ name, resources }: Container, uid: string): ResourceList {
  const requests = parseResourceList(resources?.requests);
  const share = BigInt(200 + (hashText(`${uid}/${name}`) % 700));
  const cpu = (toMilli(resourceAmount(requests, 'cpu')) * share) / 1000n;
  const memory = (toInteger(resourceAmount(requests, 'memory')) * share) / 1000n;
  return {
    cpu: cpu > 0n ? quantityFromMilli(cpu) : idle.cpu,
    memory: memory > 0n ? quantityFromInteger(memory, 'BinarySI') : idle.memory,
  };
}

function usesOf({ metadata, spec, status }: Pod): readonly (readonly [string, ResourceList])[] {
  if (status?.phase !== 'Running') return [];
  return (spec?.containers ?? []).map((one) => [one.name, containerUse(one, metadata?.uid ?? '')]);
}

function usageOf(use: ResourceList): Usage {
  return {
    cpu: formatQuantity(resourceAmount(use, 'cpu')),
    memory: formatQuantity(resourceAmount(use, 'memory')),
  };
}

/** By container; undefined for a pod that does not run. */
export function podUsage(pod: Pod): Readonly<Record<string, Usage>> | undefined {
  const uses = usesOf(pod);
  if (uses.length === 0) return undefined;
  return Object.fromEntries(uses.map(([name, use]) => [name, usageOf(use)]));
}

export function nodeUsage(pods: readonly Pod[]): Usage {
  return usageOf(sumResources(system, ...pods.flatMap((pod) => usesOf(pod).map(([, use]) => use))));
}
