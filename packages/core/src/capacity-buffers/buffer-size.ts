import type { CapacityBufferSpec } from '../api/index.ts';
import { parseResourceList, podRequests, resourceAmount, toMilli } from '../values/index.ts';
import type { PodTemplateView } from './buffer-template.ts';

const mostReplicas = 2_147_483_647;

/**
 * For how many pods room is kept: the larger of the number and the share of the workload, but no more than the
 * limits hold; without both, as many as the limits hold.
 *
 * @param scale the replicas of the workload that the share is of; absent for a template alone
 */
export function bufferSize(spec: CapacityBufferSpec, template: PodTemplateView, scale = 0): number {
  const wanted = [
    ...(spec.replicas === undefined ? [] : [spec.replicas]),
    ...(spec.percentage === undefined || scale < 1 ? [] : [Math.ceil((scale * spec.percentage) / 100)]),
  ];
  const most = withinLimits(spec.limits, template);
  if (wanted.length === 0) return most ?? 0;
  return Math.min(Math.max(...wanted), most ?? mostReplicas);
}

/** Absent where the limits name nothing that the pods ask for. */
function withinLimits(limits: CapacityBufferSpec['limits'], { spec }: PodTemplateView): number | undefined {
  const requests = podRequests({ spec });
  const counts = Object.entries(parseResourceList(limits, 'spec.limits')).flatMap(([name, limit]) => {
    const request = toMilli(resourceAmount(requests, name));
    return request === 0n ? [] : [Math.min(mostReplicas, Number(toMilli(limit) / request))];
  });
  return counts.length === 0 ? undefined : Math.max(0, Math.min(...counts));
}
