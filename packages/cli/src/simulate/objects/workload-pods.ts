import type { PersistentVolumeClaimView } from '@karpenter/core/scheduling';
import type { ClusterPod } from '@karpenter/core/state';
import type { OwnerReference } from '@karpenter/core/values';
import { controllerOf, type WrittenClaim, type WrittenPod, type WrittenWorkload } from '../input/objects.ts';
import { inputError } from '../input/origin.ts';
import { workloadKinds } from './kinds.ts';
import { manifestText, metadataOf, type NamedManifest } from './manifest.ts';
import { type InputPodIdentity, markedUnschedulable, withIdentity } from './pods.ts';
import { claimFrom } from './storage.ts';
import { readWorkload, templatePod } from './workload-objects.ts';

/** The objects that the controllers of workloads would create. */
interface Expansion {
  readonly pods: readonly ClusterPod[];
  /** One claim for each `volumeClaimTemplate` and pod of a StatefulSet. */
  readonly claims: readonly PersistentVolumeClaimView[];
}

export interface ExpandedWorkload {
  readonly manifest: NamedManifest;
  readonly pods: readonly ClusterPod[];
}

export interface Expansions extends Expansion {
  readonly workloads: readonly ExpandedWorkload[];
}

/** The pods of a workload. They share the spec of one template, so that the planner puts them into one class. */
function workloadPods(manifest: NamedManifest): Expansion {
  const { kind, name, namespace } = manifest;
  const workload = readWorkload(manifest);
  const pod = markedUnschedulable(templatePod(workload, manifest));
  const ownerReferences = [ownerOfPods(kind, name)];
  const identities = Array.from({ length: podCount(kind, workload) }, (_, index) => ({
    name: `${name}-${index}`,
    namespace,
    uid: `${namespace}/${kind}/${name}-${index}`,
    ownerReferences,
  }));
  const templates = kind === 'StatefulSet' ? (workload.spec.volumeClaimTemplates ?? []) : [];
  return {
    pods: identities.map((identity) => withIdentity(withClaims(pod, identity, templates), identity)),
    claims: identities.flatMap((identity) =>
      templates.map((template) => claimFrom(template, claimName(template, identity), namespace)),
    ),
  };
}

const apiVersions: Readonly<Record<string, string>> = { Job: 'batch/v1', ReplicationController: 'v1' };

/** A Deployment owns its pods through a ReplicaSet; default spread constraints look for that ReplicaSet. */
function ownerOfPods(kind: string, name: string): OwnerReference {
  const apiVersion = apiVersions[kind] ?? 'apps/v1';
  return { apiVersion, kind: kind === 'Deployment' ? 'ReplicaSet' : kind, name, controller: true };
}

/** The pod of a StatefulSet with the volumes of its own claims, which replace template volumes of the same name. */
function withClaims(
  pod: WrittenPod,
  identity: InputPodIdentity,
  templates: readonly WrittenClaim[],
): WrittenPod {
  if (templates.length === 0) return pod;
  const claimed = templates.map((template) => ({
    name: template.metadata?.name ?? '',
    persistentVolumeClaim: { claimName: claimName(template, identity) },
  }));
  const names = new Set(claimed.map(({ name }) => name));
  const others = (pod.spec.volumes ?? []).filter(({ name }) => !names.has(name));
  return { ...pod, spec: { ...pod.spec, volumes: [...others, ...claimed] } };
}

function claimName({ metadata }: WrittenClaim, { name }: InputPodIdentity): string {
  return `${metadata?.name ?? ''}-${name}`;
}

/**
 * Expands workloads into pods. Skips a workload if the manifests contain an object that it owns: an export of a live
 * cluster has its pods already, and expanding it again would double them.
 */
export function expandedWorkloads(manifests: readonly NamedManifest[]): Expansions {
  const owners = new Set(manifests.flatMap(ownerKey));
  const workloads = manifests.filter(
    (manifest) => workloadKinds.has(manifest.kind) && !owners.has(manifestText(manifest)),
  );
  refuseTooMany(workloads);
  const expansions = workloads.map((manifest) => ({ manifest, ...workloadPods(manifest) }));
  return {
    workloads: expansions.map(({ manifest, pods }) => ({ manifest, pods })),
    pods: expansions.flatMap(({ pods }) => pods),
    claims: expansions.flatMap(({ claims }) => claims),
  };
}

/** More pods would take all memory before the plan begins. */
const maxPods = 200_000;

function refuseTooMany(workloads: readonly NamedManifest[]): void {
  let pods = 0;
  for (const manifest of workloads) {
    pods += podCount(manifest.kind, readWorkload(manifest));
    if (pods > maxPods)
      throw inputError(
        'invalid-object',
        manifest.origin,
        `${manifest.kind} ${manifest.name} brings the workloads to ${pods} pods; plan ${maxPods} at most`,
      );
  }
}

function ownerKey(manifest: NamedManifest): readonly string[] {
  const { namespace } = manifest;
  const owner = controllerOf(metadataOf(manifest));
  return owner === undefined ? [] : [manifestText({ kind: owner.kind, namespace, name: owner.name })];
}

/** A Job needs at most `parallelism` pods at a time, and no more than it has completions left. */
function podCount(kind: string, { spec, status }: WrittenWorkload): number {
  if (kind !== 'Job') return spec.replicas ?? 1;
  if (spec.suspend === true) return 0;
  const { parallelism = 1, completions = parallelism } = spec;
  return Math.max(0, Math.min(parallelism, completions - (status?.succeeded ?? 0)));
}
