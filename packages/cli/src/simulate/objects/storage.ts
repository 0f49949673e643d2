import type {
  PersistentVolumeClaimView,
  PersistentVolumeView,
  PodVolume,
  StorageClassView,
  StorageView,
} from '@karpenter/core/scheduling';
import type { ClusterPod } from '@karpenter/core/state';
import { storageClassShape, volumeShape } from '../input/companion-shapes.ts';
import type { WrittenClaim, WrittenMetadata } from '../input/objects.ts';
import { claimShape } from '../input/pod-shape.ts';
import { readShape } from '../input/shape.ts';
import type { ManifestsOfKind } from './inventory.ts';
import { manifestText, type NamedManifest } from './manifest.ts';

const storageKinds = ['PersistentVolumeClaim', 'PersistentVolume', 'StorageClass'];
export const defaultClassAnnotation = 'storageclass.kubernetes.io/is-default-class';

/** Whether the manifests contain storage objects. Those of a single application mostly do not. */
export function describesStorage(ofKind: ManifestsOfKind): boolean {
  return storageKinds.some((kind) => ofKind(kind).length > 0);
}

/**
 * The storage objects, with the claims that controllers would create for pods that do not exist yet. A claim in the
 * manifests wins over a generated one of the same name.
 */
export function storageObjects(
  ofKind: ManifestsOfKind,
  pods: readonly ClusterPod[],
  made: readonly PersistentVolumeClaimView[],
): StorageView {
  const classes = ofKind('StorageClass').map(storageClass);
  const written = ofKind('PersistentVolumeClaim').map(writtenClaim);
  const known = new Set(written.map(claimName));
  const missing = [...made, ...pods.flatMap(ephemeralClaims)].filter((claim) => !known.has(claimName(claim)));
  const className = defaultClass(classes);
  return {
    claims: [...written, ...missing].map((claim) => withClass(claim, className)),
    volumes: ofKind('PersistentVolume').map(persistentVolume),
    classes: classes.map(({ isDefault: _, ...each }) => each),
  };
}

/** Whether a pod has volumes for which storage objects exist in a real cluster. */
export function hasClaims({ spec }: ClusterPod): boolean {
  return (spec.volumes ?? []).some(
    ({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim !== undefined || ephemeral !== undefined,
  );
}

/** The claim that a controller would create from a template. */
export function claimFrom(
  { spec }: WrittenClaim,
  name: string,
  namespace: string,
): PersistentVolumeClaimView {
  return { metadata: { name, namespace }, spec };
}

interface EphemeralVolume extends PodVolume {
  readonly ephemeral?: { readonly volumeClaimTemplate?: WrittenClaim };
}

/** Named `<pod>-<volume>`, as the ephemeral-volume controller names them. */
function ephemeralClaims({ metadata, spec }: ClusterPod): readonly PersistentVolumeClaimView[] {
  const volumes: readonly EphemeralVolume[] = spec.volumes ?? [];
  return volumes.flatMap(({ name, ephemeral }) =>
    ephemeral === undefined
      ? []
      : [
          claimFrom(
            { spec: {}, ...ephemeral.volumeClaimTemplate },
            `${metadata.name}-${name}`,
            metadata.namespace,
          ),
        ],
  );
}

export function writtenClaim(manifest: NamedManifest): PersistentVolumeClaimView {
  const { name, namespace, object, origin } = manifest;
  const claim = readShape<WrittenClaim>(claimShape, object, { origin, subject: manifestText(manifest) });
  const { annotations, deletionTimestamp } = claim.metadata ?? {};
  return {
    metadata: {
      name,
      namespace,
      ...(annotations !== undefined && { annotations }),
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    },
    spec: claim.spec,
    ...(claim.status !== undefined && { status: claim.status }),
  };
}

export function persistentVolume(manifest: NamedManifest): PersistentVolumeView {
  const { name, object, origin } = manifest;
  const { metadata, spec } = readShape<Pick<PersistentVolumeView, 'spec'> & { metadata?: WrittenMetadata }>(
    volumeShape,
    object,
    { origin, subject: manifestText(manifest) },
  );
  const { deletionTimestamp } = metadata ?? {};
  return { metadata: { name, ...(deletionTimestamp !== undefined && { deletionTimestamp }) }, spec };
}

interface FoundClass extends StorageClassView {
  readonly isDefault: boolean;
}

/** Without `volumeBindingMode` a class binds immediately, which is the default of the API server. */
export function storageClass(manifest: NamedManifest): FoundClass {
  const { name, object, origin } = manifest;
  const { metadata, provisioner, volumeBindingMode, allowedTopologies } = readShape<
    Omit<StorageClassView, 'metadata'> & { metadata?: WrittenMetadata }
  >(storageClassShape, object, { origin, subject: manifestText(manifest) });
  return {
    metadata: { name },
    provisioner,
    volumeBindingMode: volumeBindingMode ?? 'Immediate',
    ...(allowedTopologies !== undefined && { allowedTopologies }),
    isDefault: metadata?.annotations?.[defaultClassAnnotation] === 'true',
  };
}

function defaultClass(classes: readonly FoundClass[]): string | undefined {
  return classes.find(({ isDefault }) => isDefault)?.metadata.name;
}

/** Gives the default class to claims without a class. An empty class name means "no class" and stays. */
export function withClass(
  claim: PersistentVolumeClaimView,
  className: string | undefined,
): PersistentVolumeClaimView {
  const { storageClassName, volumeName } = claim.spec;
  if (className === undefined || storageClassName !== undefined || volumeName !== undefined) return claim;
  return { ...claim, spec: { ...claim.spec, storageClassName: className } };
}

function claimName({ metadata: { namespace, name } }: PersistentVolumeClaimView): string {
  return `${namespace}/${name}`;
}
