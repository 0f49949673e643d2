import type { PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';
import type { StorageClass } from 'kubernetes-types/storage/v1.js';
import { keyTextOf } from '../../objects/object-key.ts';
import { type NodePredicate, selectorPredicate } from '../pods/node-selection.ts';
import type { PodInfo } from '../pods/pod-info.ts';
import type { SchedulerState } from '../state/cluster-state.ts';
import type { CsiVolume, VolumeState } from '../state/volume-state.ts';
import {
  type Filter,
  type NodeCheck,
  type NodeRefusal,
  type Obstacle,
  resolvable,
  unresolvable,
} from './filter.ts';

const isElsewhere = unresolvable("node(s) didn't match PersistentVolume's node affinity");
const hasNoVolume = unresolvable("node(s) didn't find available persistent volumes to bind");
const hasNoZone = unresolvable('node(s) had no available volume zone');
const isTaken = resolvable(
  'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
);
const hasTooMany = resolvable('node(s) exceed max volume count');

const zoneLabels = [
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
];

function claimsOf(pod: PodInfo, volumes: VolumeState): readonly PersistentVolumeClaim[] {
  return pod.claims.flatMap((name) => volumes.claim(pod.identity.namespace, name) ?? []);
}

function isBound({ spec, metadata }: PersistentVolumeClaim): boolean {
  return Boolean(spec?.volumeName) && metadata?.annotations?.['pv.kubernetes.io/bind-completed'] === 'yes';
}

function waitsForPod(storageClass: StorageClass | undefined): boolean {
  return storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
}

/** Why the claims of a pod keep it from every node, whatever the node. */
function refusalOf(pod: PodInfo, volumes: VolumeState): string | undefined {
  for (const name of pod.claims) {
    const claim = volumes.claim(pod.identity.namespace, name);
    if (claim === undefined) return `persistentvolumeclaim "${name}" not found`;
    if (claim.status?.phase === 'Lost') {
      return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec?.volumeName ?? ''}"`;
    }
    if (claim.metadata?.deletionTimestamp !== undefined)
      return `persistentvolumeclaim "${name}" is being deleted`;
  }
  const isStuck = claimsOf(pod, volumes).some(
    (claim) => !isBound(claim) && !waitsForPod(volumes.classOf(claim)),
  );
  return isStuck ? 'pod has unbound immediate PersistentVolumeClaims' : undefined;
}

function nodesOfVolume(volume: PersistentVolume): NodePredicate {
  const required = volume.spec?.nodeAffinity?.required;
  return required === undefined ? () => true : selectorPredicate(required);
}

/** The nodes where the class can provision volumes; everywhere if it has no allowedTopologies. */
function nodesForProvisioning({ allowedTopologies = [] }: StorageClass): NodePredicate {
  if (allowedTopologies.length === 0) return () => true;
  return ({ metadata }) =>
    allowedTopologies.some(({ matchLabelExpressions = [] }) =>
      matchLabelExpressions.every(({ key, values }) => values.includes(metadata?.labels?.[key] ?? '')),
    );
}

function unboundCheck(claim: PersistentVolumeClaim, volumes: VolumeState): NodePredicate {
  const storageClass = volumes.classOf(claim);
  if (storageClass === undefined || storageClass.provisioner === 'kubernetes.io/no-provisioner') {
    const free = [...volumes.volumes()].filter((volume) => matchesClaim(volume, claim)).map(nodesOfVolume);
    return (node) => free.some((allows) => allows(node));
  }
  return nodesForProvisioning(storageClass);
}

function matchesClaim({ spec, status }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const modes = claim.spec?.accessModes ?? [];
  return (
    spec?.claimRef === undefined &&
    status?.phase === 'Available' &&
    (spec?.storageClassName ?? '') === (claim.spec?.storageClassName ?? '') &&
    modes.every((mode) => spec?.accessModes?.includes(mode) ?? false)
  );
}

export const volumeBinding: Filter = {
  name: 'VolumeBinding',
  prepare(pod, { volumes }): NodeCheck | NodeRefusal | undefined {
    if (pod.claims.length === 0) return undefined;
    const refusal = refusalOf(pod, volumes);
    if (refusal !== undefined) return { refusal };
    const claims = claimsOf(pod, volumes);
    const bound = claims.flatMap((claim) =>
      isBound(claim) ? [volumes.volume(claim.spec?.volumeName ?? '')] : [],
    );
    const boundPredicates = bound.map((volume) =>
      volume === undefined ? () => false : nodesOfVolume(volume),
    );
    const unboundPredicates = claims
      .filter((claim) => !isBound(claim))
      .map((claim) => unboundCheck(claim, volumes));
    return ({ node }): Obstacle | undefined => {
      if (node === undefined || !boundPredicates.every((allows) => allows(node))) return isElsewhere;
      return unboundPredicates.every((allows) => allows(node)) ? undefined : hasNoVolume;
    };
  },
};

interface ZoneNeed {
  readonly label: string;
  readonly values: ReadonlySet<string>;
}

function zoneNeeds(volume: PersistentVolume | undefined): readonly ZoneNeed[] {
  return zoneLabels.flatMap((label) => {
    const value = volume?.metadata?.labels?.[label];
    return value === undefined ? [] : [{ label, values: new Set(value.split('__')) }];
  });
}

/**
 * Checks the zone labels of volumes that predate node affinity. As in Kubernetes, a node without zone labels
 * passes.
 */
export const volumeZone: Filter = {
  name: 'VolumeZone',
  prepare(pod, { volumes }) {
    if (pod.claims.length === 0) return undefined;
    const needs = claimsOf(pod, volumes).flatMap((claim) =>
      zoneNeeds(volumes.volume(claim.spec?.volumeName ?? '')),
    );
    if (needs.length === 0) return undefined;
    return ({ labels }) => {
      if (!zoneLabels.some((label) => labels[label] !== undefined)) return undefined;
      return needs.every(({ label, values }) => values.has(labels[label] ?? '')) ? undefined : hasNoZone;
    };
  },
};

export const volumeRestrictions: Filter = {
  name: 'VolumeRestrictions',
  prepare(pod, { volumes }) {
    const exclusive = claimsOf(pod, volumes)
      .filter(({ spec }) => spec?.accessModes?.includes('ReadWriteOncePod'))
      .map(keyTextOf);
    if (!exclusive.some((key) => volumes.isInUse(key))) return undefined;
    return ({ name }) => (exclusive.some((key) => volumes.isInUseOn(name, key)) ? isTaken : undefined);
  },
};

function newVolumes(wanted: readonly CsiVolume[], present: readonly CsiVolume[], driver: string): number {
  const handles = new Set(present.filter((volume) => volume.driver === driver).map(({ handle }) => handle));
  for (const volume of wanted) if (volume.driver === driver) handles.add(volume.handle);
  return handles.size;
}

export const nodeVolumeLimits: Filter = {
  name: 'NodeVolumeLimits',
  prepare(pod, cluster: SchedulerState) {
    const { volumes } = cluster;
    const wanted = claimsOf(pod, volumes).flatMap((claim) => volumes.csiVolume(claim) ?? []);
    if (wanted.length === 0) return undefined;
    const drivers = [...new Set(wanted.map(({ driver }) => driver))];
    return ({ name }) => {
      const limits = volumes.csiNode(name)?.spec.drivers ?? [];
      const present = volumes.csiVolumesOn(name);
      const isOver = drivers.some((driver) => {
        const limit = limits.find((one) => one.name === driver)?.allocatable?.count;
        return limit !== undefined && newVolumes(wanted, present, driver) > limit;
      });
      return isOver ? hasTooMany : undefined;
    };
  },
};
