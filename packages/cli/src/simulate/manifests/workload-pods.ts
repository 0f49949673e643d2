import type { PersistentVolumeClaimView, PodView } from '@karpenter/core/scheduling';
import type { OwnerReference } from '@karpenter/core/values';
import { filledPod, type PodIdentity, podView } from '../cluster/pod-view.ts';
import type { WrittenClaim, WrittenPod, WrittenWorkload } from '../input/objects.ts';
import { workloadShape } from '../input/pod-shape.ts';
import { readShape } from '../input/shape.ts';
import { claimFrom } from './cluster-storage.ts';
import { manifestText, type NamedManifest } from './manifest.ts';

/** What a workload asks for. */
export interface Expansion {
  readonly pods: readonly PodView[];
  /** Made for its pods, one of each template for each pod. */
  readonly claims: readonly PersistentVolumeClaimView[];
}

/** The pods of a workload, all sharing one template and named by number. */
export function workloadPods(manifest: NamedManifest): Expansion {
  const { kind, name, namespace } = manifest;
  const workload = readWorkload(manifest);
  const pod = templatePod(workload, manifest);
  const ownerReferences = [ownerOfPods(kind, name)];
  const identities = Array.from({ length: podCount(kind, workload) }, (_, index) => ({
    name: `${name}-${index}`,
    namespace,
    uid: `${namespace}/${kind}/${name}-${index}`,
    ownerReferences,
  }));
  const templates = kind === 'StatefulSet' ? (workload.spec.volumeClaimTemplates ?? []) : [];
  return {
    pods: identities.map((identity) => podView(withClaims(pod, identity, templates), identity)),
    claims: identities.flatMap((identity) =>
      templates.map((template) => claimFrom(template, claimName(template, identity), namespace)),
    ),
  };
}

const apiVersions: Readonly<Record<string, string>> = { Job: 'batch/v1', ReplicationController: 'v1' };

/** A Deployment makes its pods by way of a ReplicaSet. */
function ownerOfPods(kind: string, name: string): OwnerReference {
  const apiVersion = apiVersions[kind] ?? 'apps/v1';
  return { apiVersion, kind: kind === 'Deployment' ? 'ReplicaSet' : kind, name, controller: true };
}

/** Each pod of a StatefulSet has volumes of its own. */
function withClaims(pod: WrittenPod, identity: PodIdentity, templates: readonly WrittenClaim[]): WrittenPod {
  if (templates.length === 0) return pod;
  const claimed = templates.map((template) => ({
    name: template.metadata?.name ?? '',
    persistentVolumeClaim: { claimName: claimName(template, identity) },
  }));
  const names = new Set(claimed.map(({ name }) => name));
  const others = (pod.spec.volumes ?? []).filter(({ name }) => !names.has(name));
  return { ...pod, spec: { ...pod.spec, volumes: [...others, ...claimed] } };
}

function claimName({ metadata }: WrittenClaim, { name }: PodIdentity): string {
  return `${metadata?.name ?? ''}-${name}`;
}

/** The pod that a DaemonSet would run on a node. */
export function daemonPod(manifest: NamedManifest): PodView {
  const { kind, name, namespace } = manifest;
  const pod = templatePod(readWorkload(manifest), manifest);
  return podView(pod, { name, namespace, uid: `${namespace}/${kind}/${name}` });
}

export function readWorkload(manifest: NamedManifest): WrittenWorkload {
  return readShape(workloadShape, manifest.object, manifest.origin, manifestText(manifest));
}

/** The template of a workload with its requests filled in. */
export function templatePod({ spec }: WrittenWorkload, manifest: NamedManifest): WrittenPod {
  return filledPod(spec.template, manifest.origin, `the template of ${manifestText(manifest)}`);
}

function podCount(kind: string, { spec, status }: WrittenWorkload): number {
  if (kind !== 'Job') return spec.replicas ?? 1;
  if (spec.suspend === true) return 0;
  const { parallelism = 1, completions = parallelism } = spec;
  return Math.max(0, Math.min(parallelism, completions - (status?.succeeded ?? 0)));
}
