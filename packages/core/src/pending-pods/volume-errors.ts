import { annotationKeys } from '../api/index.ts';
import {
  driverOf,
  type PersistentVolumeClaimView,
  type Storage,
  type StorageClassView,
} from '../scheduling/index.ts';
import type { IgnoredReason, PendingPod } from './pending-pod.ts';

/** Storage that nodes of the cloud provider can never mount. */
export interface UnsupportedStorage {
  readonly provisioners?: ReadonlySet<string>;
  readonly topologyKeys?: ReadonlySet<string>;
}

/** The first problem with the pod's volume claims: the pod would wait for its volumes on any node. */
export function volumeErrors(
  pod: PendingPod,
  storage: Storage,
  unsupported: UnsupportedStorage,
): readonly IgnoredReason[] {
  for (const name of storage.claimNames(pod)) {
    const message = claimFlaw(name, storage, unsupported);
    if (message !== undefined) return [{ cause: 'volumes', message }];
  }
  return [];
}

function claimFlaw(name: string, storage: Storage, unsupported: UnsupportedStorage): string | undefined {
  const claim = storage.claim(name);
  if (claim === undefined) {
    const problem = `getting persistent volume claim, ${notFound('PersistentVolumeClaim', plainName(name))}`;
    return withFields(problem, { PersistentVolumeClaim: name });
  }
  return (
    phaseFlaw(name, claim) ??
    (claim.spec.volumeName === undefined || claim.spec.volumeName === ''
      ? unboundFlaw({ name, claim }, storage, unsupported)
      : boundFlaw({ name, claim }, claim.spec.volumeName, storage)) ??
    driverFlaw({ name, claim }, storage, unsupported)
  );
}

function phaseFlaw(name: string, { metadata, spec, status }: PersistentVolumeClaimView): string | undefined {
  if (metadata.deletionTimestamp !== undefined) {
    return withFields('persistentvolumeclaim is being deleted', { PersistentVolumeClaim: name });
  }
  if (status?.phase !== 'Lost') return undefined;
  return withFields('persistentvolumeclaim bound to non-existent persistentvolume', {
    PersistentVolumeClaim: name,
    PersistentVolume: spec.volumeName ?? '',
  });
}

interface NamedClaim {
  readonly name: string;
  readonly claim: PersistentVolumeClaimView;
}

/** A bound claim may name a StorageClass that no longer exists. */
function boundFlaw({ name, claim }: NamedClaim, volumeName: string, storage: Storage): string | undefined {
  const volume = storage.volumeOf(claim);
  const isDeleting = volume?.metadata.deletionTimestamp !== undefined;
  if (volume === undefined || isDeleting) {
    const problem = isDeleting
      ? 'persistentvolume is being deleted'
      : notFound('PersistentVolume', volumeName);
    return withFields(`failed to validate pvc, ${problem}`, {
      PersistentVolumeClaim: name,
      PersistentVolume: volumeName,
      StorageClass: classNameOf(claim),
    });
  }
  if (claim.metadata.annotations?.[annotationKeys.volumeBindCompleted] !== undefined) return undefined;
  return withFields('pvc is considered unbound because it does not contain annotation', {
    annotation: annotationKeys.volumeBindCompleted,
    PersistentVolumeClaim: plainName(name),
    PersistentVolume: volumeName,
  });
}

function unboundFlaw(
  { name, claim }: NamedClaim,
  storage: Storage,
  { topologyKeys = new Set() }: UnsupportedStorage,
): string | undefined {
  const className = classNameOf(claim);
  const fields = { PersistentVolumeClaim: name, StorageClass: className };
  if (className === '') return withFields('unbound pvc must define a storage class', fields);
  const storageClass = storage.classOf(claim);
  if (storageClass === undefined) {
    const problem = notFound('StorageClass.storage.k8s.io', className);
    return withFields(`failed to validate pvc, failed to get storage class, ${problem}`, fields);
  }
  if (storageClass.volumeBindingMode === 'Immediate') {
    return withFields('failed to validate pvc, pvc with immediate volume binding mode must be bound', fields);
  }
  const key = keysOf(storageClass).find((each) => topologyKeys.has(each));
  if (key === undefined) return undefined;
  return withFields('failed to validate pvc, storage class uses unsupported topology key', {
    ...fields,
    TopologyKey: key,
  });
}

function driverFlaw(
  { name, claim }: NamedClaim,
  storage: Storage,
  { provisioners = new Set() }: UnsupportedStorage,
): string | undefined {
  const driver = driverOf(storage, name);
  if (driver === undefined || !provisioners.has(driver)) return undefined;
  return withFields('failed to validate pvc, provisioner is not supported', {
    PersistentVolumeClaim: name,
    StorageClass: classNameOf(claim),
    Provisioner: driver,
  });
}

function keysOf({ allowedTopologies = [] }: StorageClassView): readonly string[] {
  return allowedTopologies.flatMap(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.map(({ key }) => key),
  );
}

function classNameOf({ spec }: PersistentVolumeClaimView): string {
  return spec.storageClassName ?? '';
}

function plainName(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

/** The error text of a Kubernetes client. */
function notFound(kind: string, name: string): string {
  return `${kind} ${JSON.stringify(name)} not found`;
}

/** Appends fields, sorted by name. */
function withFields(message: string, fields: Readonly<Record<string, string>>): string {
  const texts = Object.entries(fields)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([field, value]) => `${field}=${value}`);
  return `${message} (${texts.join(', ')})`;
}
