import type { CapacityBuffer } from '@karpenter/core/api';
import {
  type BufferReferences,
  type BufferResolution,
  type PodTemplateView,
  resolveBuffer,
  type ScalableKind,
} from '@karpenter/core/capacity-buffers';
import type { PodView } from '@karpenter/core/scheduling';
import type { ObjectCaches } from '@karpenter/kube/cache';
import { type Kind, type KubeObject, kinds } from '@karpenter/kube/client';
import { capacityBuffers, shapedAs } from '../cluster/index.ts';

// The fields that buffers read. The API server has validated the objects, so they are not checked again.
const podTemplates: Kind<KubeObject & { readonly template?: PodTemplateView }> = shapedAs(kinds.podTemplate);

type Workload = KubeObject & {
  readonly spec?: { readonly replicas?: number; readonly template?: PodTemplateView };
};
const scalables: Readonly<Record<ScalableKind, Kind<Workload>>> = {
  Deployment: shapedAs(kinds.deployment),
  StatefulSet: shapedAs(kinds.statefulSet),
  ReplicaSet: shapedAs(kinds.replicaSet),
};

/** Looks up the pod templates and workloads that buffers reference, in the watch caches. */
export function bufferReferences(caches: ObjectCaches): BufferReferences {
  return {
    podTemplate: (namespace, name) => {
      const found = caches.of(podTemplates).get({ namespace, name });
      const template = found?.template;
      const generation = found?.metadata?.generation;
      return template && { template, ...(generation !== undefined && { generation }) };
    },
    workload: (kind, namespace, name) => {
      const spec = caches.of(scalables[kind]).get({ namespace, name })?.spec;
      return spec?.template === undefined ? undefined : { ...spec, template: spec.template };
    },
  };
}

/**
 * Resolves all buffers of the strategy that Karpenter implements into virtual pods. They come from the
 * watched objects and not from the status of the buffers, so that a plan does not wait for that status to be
 * written.
 */
export function resolvedBuffers(caches: ObjectCaches): readonly BufferResolution[] {
  const references = bufferReferences(caches);
  return caches
    .of(capacityBuffers)
    .list()
    .filter(isActiveBuffer)
    .map((buffer) => resolveBuffer(buffer, references));
}

/** Buffers and everything they can reference. */
export const bufferKinds: readonly Kind[] = [capacityBuffers, podTemplates, ...Object.values(scalables)];

/** The virtual pods of all buffers. */
export function bufferPodsOf(caches: ObjectCaches): readonly PodView[] {
  return resolvedBuffers(caches).flatMap(({ pods }) => pods);
}

/** Also the default of a buffer that names no strategy; others belong to other autoscalers. */
const activeCapacityStrategy = 'buffer.x-k8s.io/active-capacity';

/** Whether a buffer is handled here: not deleted, and of the active-capacity strategy. */
export function isActiveBuffer({ metadata, spec }: CapacityBuffer): boolean {
  return (
    metadata.deletionTimestamp === undefined &&
    (spec.provisioningStrategy ?? activeCapacityStrategy) === activeCapacityStrategy
  );
}
