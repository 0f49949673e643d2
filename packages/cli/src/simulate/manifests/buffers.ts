import {
  type BufferReferences,
  type BufferResolution,
  type PodTemplateView,
  resolveBuffer,
} from '@karpenter/core/capacity-buffers';
import { admittedCapacityBuffer } from '../cluster/admitted-object.ts';
import { filledPod } from '../cluster/pod-view.ts';
import { podTemplateShape } from '../input/companion-shapes.ts';
import type { WrittenTemplate } from '../input/objects.ts';
import { readShape } from '../input/shape.ts';
import type { ManifestsOfKind } from './inventory.ts';
import { manifestText, type NamedManifest } from './manifest.ts';
import { readWorkload, templatePod } from './workload-pods.ts';

/** The CapacityBuffers of the manifests, with the pods that stand for them. */
export function resolvedBuffers(ofKind: ManifestsOfKind): readonly BufferResolution[] {
  const references = referencesAmong(ofKind);
  return ofKind('CapacityBuffer').map(({ name, namespace, object, origin }) => {
    const buffer = admittedCapacityBuffer(object, origin);
    return resolveBuffer({ ...buffer, metadata: { ...buffer.metadata, name, namespace } }, references);
  });
}

function referencesAmong(ofKind: ManifestsOfKind): BufferReferences {
  const find = (kind: string, namespace: string, name: string) =>
    ofKind(kind).find((manifest) => manifest.name === name && manifest.namespace === namespace);
  return {
    podTemplate: (namespace, name) => {
      const manifest = find('PodTemplate', namespace, name);
      return manifest && { template: podTemplate(manifest) };
    },
    workload: (kind, namespace, name) => {
      const manifest = find(kind, namespace, name);
      if (manifest === undefined) return undefined;
      const workload = readWorkload(manifest);
      return { replicas: workload.spec.replicas ?? 1, template: templatePod(workload, manifest) };
    },
  };
}

function podTemplate(manifest: NamedManifest): PodTemplateView {
  const { object, origin } = manifest;
  const subject = manifestText(manifest);
  const { template } = readShape<{ readonly template: WrittenTemplate }>(
    podTemplateShape,
    object,
    origin,
    subject,
  );
  return filledPod(template, origin, subject);
}
