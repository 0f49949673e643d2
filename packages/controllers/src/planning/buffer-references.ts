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

/** The shapes that buffers read; the server has checked them. */
const podTemplates: Kind<KubeObject & { readonly template?: PodTemplateView }> = shapedAs(kinds.podTemplate);

type Workload = KubeObject & {
  readonly spec?: { readonly replicas?: number; readonly template: PodTemplateView };
};
const scalables: Readonly<Record<ScalableKind, Kind<Workload>>> = {
  Deployment: shapedAs(kinds.deployment),
  StatefulSet: shapedAs(kinds.statefulSet),
  ReplicaSet: shapedAs(kinds.replicaSet),
};

/** Finds what buffers refer to among watched objects. */
export function bufferReferences(caches: ObjectCaches): BufferReferences {
  return {
    podTemplate: (namespace, name) => {
      const found = caches.of(podTemplates).get({ namespace, name });
      const template = found?.template;
      const generation = found?.metadata?.generation;
      return template && { template, ...(generation !== undefined && { generation }) };
    },
    workload: (kind, namespace, name) => caches.of(scalables[kind]).get({ namespace, name })?.spec,
  };
}

/** Buffers that keep room by running nodes; other strategies are for other programs. */
export function resolvedBuffers(caches: ObjectCaches): readonly BufferResolution[] {
  const references = bufferReferences(caches);
  return caches
    .of(capacityBuffers)
    .list()
    .filter(isOurs)
    .map((buffer) => resolveBuffer(buffer, references));
}

/** Starts to watch all that buffers refer to. */
export function watchBuffers(caches: ObjectCaches): void {
  for (const kind of [capacityBuffers, podTemplates, ...Object.values(scalables)])
    caches.of<KubeObject>(kind);
}

export function bufferPodsOf(caches: ObjectCaches): readonly PodView[] {
  return resolvedBuffers(caches).flatMap(({ pods }) => pods);
}

const ourStrategy = 'buffer.x-k8s.io/active-capacity';

export function isOurs({ metadata, spec }: CapacityBuffer): boolean {
  return (
    metadata.deletionTimestamp === undefined && (spec.provisioningStrategy ?? ourStrategy) === ourStrategy
  );
}
