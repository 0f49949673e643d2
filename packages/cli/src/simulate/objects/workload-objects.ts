import type { DaemonSet } from '@karpenter/core/state';
import type { KubeObject } from '@karpenter/kube/client';
import { podTemplateShape, serviceShape } from '../input/companion-shapes.ts';
import type { WrittenPod, WrittenTemplate, WrittenWorkload } from '../input/objects.ts';
import { podShape, selectorShape, workloadShape } from '../input/pod-shape.ts';
import { readShape, shape } from '../input/shape.ts';
import { manifestText, type NamedManifest } from './manifest.ts';
import { filledPod } from './pods.ts';

const selecting = shape({ spec: shape({ selector: selectorShape }) });

export function readWorkload(manifest: NamedManifest): WrittenWorkload {
  return readShape(workloadShape, manifest.object, {
    origin: manifest.origin,
    subject: manifestText(manifest),
  });
}

/** The template of a workload as a pod, with limits as defaults for missing requests. */
export function templatePod({ spec }: WrittenWorkload, manifest: NamedManifest): WrittenPod {
  return filledPod(spec.template, manifest.origin, `the template of ${manifestText(manifest)}`);
}

/** The pod of a Pod or of the template of any workload. */
export function templateOf(manifest: NamedManifest): WrittenPod {
  if (manifest.kind !== 'Pod') return templatePod(readWorkload(manifest), manifest);
  const { object, origin } = manifest;
  const subject = manifestText(manifest);
  return filledPod(readShape<WrittenPod>(podShape, object, { origin, subject }), origin, subject);
}

/** A workload with a template and a LabelSelector: Deployment, ReplicaSet or StatefulSet. */
export function workloadObjects(manifest: NamedManifest): KubeObject {
  const { object, origin } = manifest;
  readShape(selecting, object, { origin, subject: manifestText(manifest) });
  const workload = readWorkload(manifest);
  return named(manifest, { ...workload.spec, template: templatePod(workload, manifest) });
}

/** An object that selects pods by plain labels: Service or ReplicationController. */
export function selectingObjects(manifest: NamedManifest): KubeObject {
  const { object, origin } = manifest;
  const { spec } = readShape<{ readonly spec?: object }>(serviceShape, object, {
    origin,
    subject: manifestText(manifest),
  });
  return named(manifest, spec ?? {});
}

export function daemonSet(manifest: NamedManifest): DaemonSet {
  const { name, namespace } = manifest;
  return { metadata: { name, namespace }, spec: { template: templatePod(readWorkload(manifest), manifest) } };
}

export function podTemplate(manifest: NamedManifest): KubeObject & { readonly template: WrittenTemplate } {
  const { name, namespace, object, origin } = manifest;
  const subject = manifestText(manifest);
  const { template } = readShape<{ readonly template: WrittenTemplate }>(podTemplateShape, object, {
    origin,
    subject,
  });
  filledPod(template, origin, subject);
  return { metadata: { name, namespace }, template };
}

function named({ name, namespace }: NamedManifest, spec: object): KubeObject & { readonly spec: object } {
  return { metadata: { name, namespace }, spec };
}
