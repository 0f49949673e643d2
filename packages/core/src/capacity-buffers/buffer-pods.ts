import { annotationKeys, type CapacityBuffer } from '../api/index.ts';
import type { PodSpecView, PodView } from '../scheduling/index.ts';
import type { PodTemplateView } from './buffer-template.ts';

/** The lowest int32, below any real pod: reserved room must never block a pod. */
const lowestPriority = -2_147_483_648;

/** The virtual pods of a buffer; they share everything except name and uid. */
export function bufferPods(
  { metadata }: CapacityBuffer,
  { metadata: template, spec }: PodTemplateView,
  replicas: number,
): readonly PodView[] {
  const { name, namespace = 'default', uid = `${namespace}/CapacityBuffer/${name}` } = metadata;
  const shared = {
    namespace,
    labels: template?.labels ?? {},
    annotations: {
      [annotationKeys.bufferPod]: 'true',
      [annotationKeys.bufferName]: name,
      [annotationKeys.bufferNamespace]: namespace,
    },
  };
  const virtualSpec = withoutClaims({ ...spec, priority: lowestPriority });
  const status = { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] };
  return Array.from({ length: replicas }, (_, index) => ({
    metadata: { ...shared, name: `capacity-buffer-${name}-${index + 1}`, uid: `${uid}-${index + 1}` },
    spec: virtualSpec,
    status,
  }));
}

/** Nobody creates claims for pods that do not exist, so volumes with claims are dropped. */
function withoutClaims(spec: PodSpecView): PodSpecView {
  if (spec.volumes === undefined) return spec;
  const isKept = ({ persistentVolumeClaim, ephemeral }: NonNullable<PodSpecView['volumes']>[number]) =>
    persistentVolumeClaim === undefined && ephemeral === undefined;
  return { ...spec, volumes: spec.volumes.filter(isKept) };
}
