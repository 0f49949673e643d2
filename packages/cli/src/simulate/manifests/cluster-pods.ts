import { filledPod } from '../cluster/pod-view.ts';
import { controllerOf, isDaemon, type WrittenPod } from '../input/objects.ts';
import { podShape } from '../input/pod-shape.ts';
import { readShape } from '../input/shape.ts';
import { manifestText, type NamedManifest } from './manifest.ts';

export interface ClusterPod {
  readonly pod: WrittenPod;
  readonly identity: { readonly name: string; readonly namespace: string; readonly uid: string };
}

export function clusterPod(manifest: NamedManifest): ClusterPod {
  const { name, namespace, object, origin } = manifest;
  const subject = manifestText(manifest);
  const pod = filledPod(readShape(podShape, object, origin, subject), origin, subject);
  return { pod, identity: { name, namespace, uid: pod.metadata?.uid ?? `${namespace}/${name}` } };
}

/** Pods that have ended take no room. */
export function isActive({ pod }: ClusterPod): boolean {
  const phase = pod.status?.phase;
  return phase !== 'Succeeded' && phase !== 'Failed';
}

/** The DaemonSet controller and the kubelet see to their own pods; gated pods are not to be scheduled yet. */
export function isPlaceable({ pod }: ClusterPod): boolean {
  const isGated = (pod.spec.schedulingGates ?? []).length > 0;
  return !isDaemon(pod) && controllerOf(pod.metadata)?.kind !== 'Node' && !isGated;
}
