import type { PodView } from '@karpenter/core/scheduling';
import { filledPod, podView } from '../cluster/pod-view.ts';
import type { WrittenPod, WrittenWorkload } from '../input/objects.ts';
import { workloadShape } from '../input/pod-shape.ts';
import { readShape } from '../input/shape.ts';
import { manifestText, type NamedManifest } from './manifest.ts';

/** The pods that a workload asks for, all sharing one template, named by number. */
export function workloadPods(manifest: NamedManifest): readonly PodView[] {
  const { kind, name, namespace } = manifest;
  const workload = readWorkload(manifest);
  const pod = templatePod(workload, manifest);
  return Array.from({ length: podCount(kind, workload) }, (_, index) =>
    podView(pod, {
      name: `${name}-${index}`,
      namespace,
      uid: `${namespace}/${kind}/${name}-${index}`,
    }),
  );
}

/** The pod that a DaemonSet would run on a node. */
export function daemonPod(manifest: NamedManifest): PodView {
  const { kind, name, namespace } = manifest;
  const pod = templatePod(readWorkload(manifest), manifest);
  return podView(pod, { name, namespace, uid: `${namespace}/${kind}/${name}` });
}

function readWorkload(manifest: NamedManifest): WrittenWorkload {
  return readShape(workloadShape, manifest.object, manifest.origin, manifestText(manifest));
}

function templatePod({ spec }: WrittenWorkload, manifest: NamedManifest): WrittenPod {
  return filledPod(spec.template, manifest.origin, `the template of ${manifestText(manifest)}`);
}

function podCount(kind: string, { spec, status }: WrittenWorkload): number {
  if (kind !== 'Job') return spec.replicas ?? 1;
  if (spec.suspend === true) return 0;
  const { parallelism = 1, completions = parallelism } = spec;
  return Math.max(0, Math.min(parallelism, completions - (status?.succeeded ?? 0)));
}
