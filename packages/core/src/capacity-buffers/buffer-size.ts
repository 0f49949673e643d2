import type { CapacityBufferSpec } from '../api/index.ts';
import { parseResourceList, podRequests, resourceAmount, toMilli } from '../values/index.ts';
import type { PodTemplateView } from './buffer-template.ts';

const maxReplicas = 2_147_483_647;

/**
 * Number of virtual pods: the larger of `replicas` and the percentage of the workload, capped by the limits;
 * without either, as many as the limits allow.
 *
 * @param scale the replicas of the workload that the percentage refers to; undefined for a PodTemplate
 */
export function bufferSize(spec: CapacityBufferSpec, template: PodTemplateView, scale = 0): number {
  const wanted = [
    ...(spec.replicas === undefined ? [] : [spec.replicas]),
    ...(spec.percentage === undefined || scale < 1 ? [] : [Math.ceil((scale * spec.percentage) / 100)]),
  ];
  const maxByLimits = withinLimits(spec.limits, template);
  if (wanted.length === 0) return maxByLimits ?? 0;
  return Math.min(Math.max(...wanted), maxByLimits ?? maxReplicas);
}

/** Undefined if the limits name no resource that the pods request. */
function withinLimits(limits: CapacityBufferSpec['limits'], { spec }: PodTemplateView): number | undefined {
  const requests = podRequests({ spec });
  const counts = Object.entries(parseResourceList(limits, 'spec.limits')).flatMap(([name, limit]) => {
    const request = toMilli(resourceAmount(requests, name));
    return request === 0n ? [] : [Math.min(maxReplicas, Number(toMilli(limit) / request))];
  });
  return counts.length === 0 ? undefined : Math.max(0, Math.min(...counts));
}
