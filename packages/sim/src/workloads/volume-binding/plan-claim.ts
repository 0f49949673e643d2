import { compareQuantities, parseQuantity } from '@karpenter/core/values';
import type {
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  VolumeNodeAffinity,
} from 'kubernetes-types/core/v1.js';
import type { StorageClass } from 'kubernetes-types/storage/v1.js';

export const selectedNode = 'volume.kubernetes.io/selected-node';
export const provisionedBy = 'pv.kubernetes.io/provisioned-by';
const zoneLabel = 'topology.kubernetes.io/zone';
/** The topology label of the EBS CSI driver. */
const driverZones: Readonly<Record<string, string>> = { 'ebs.csi.aws.com': 'topology.ebs.csi.aws.com/zone' };

export type ClaimPlan =
  | { readonly type: 'nothing' }
  /** Wait until a pod that uses the claim has a node, or a volume appears. */
  | { readonly type: 'wait' }
  | { readonly type: 'bind'; readonly volume: PersistentVolume }
  | { readonly type: 'provision'; readonly volume: PersistentVolume };

export interface ClaimContext {
  readonly storageClass: StorageClass | undefined;
  readonly volumes: readonly PersistentVolume[];
  readonly node: Node | undefined;
  readonly nodes: readonly Node[];
}

/** Decides what happens to a claim. A pure function of the objects. */
export function planClaim(claim: PersistentVolumeClaim, context: ClaimContext): ClaimPlan {
  if (claim.status?.phase === 'Bound' || claim.metadata?.deletionTimestamp !== undefined)
    return { type: 'nothing' };
  const reserved = context.volumes.find(({ spec, metadata }) => {
    const isNamed = claim.spec?.volumeName === metadata?.name;
    return isNamed || (spec?.claimRef?.uid !== undefined && spec.claimRef.uid === claim.metadata?.uid);
  });
  if (reserved !== undefined) return { type: 'bind', volume: reserved };
  const { storageClass } = context;
  // A volume is in one zone. With WaitForFirstConsumer the scheduler chooses the node first, so that a volume which is
  // provisioned too early does not decide where the pod can run.
  const waits = storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
  if (waits && claim.metadata?.annotations?.[selectedNode] === undefined) return { type: 'wait' };
  const free = smallestFit(claim, context);
  if (free !== undefined) return { type: 'bind', volume: free };
  if (storageClass === undefined || storageClass.provisioner === 'kubernetes.io/no-provisioner') {
    return { type: 'wait' };
  }
  if (waits && context.node === undefined) return { type: 'wait' };
  return { type: 'provision', volume: newVolume(claim, storageClass, context) };
}

function storageOf(quantities: Readonly<Record<string, string>> | undefined) {
  return parseQuantity(quantities?.['storage'] ?? '0');
}

/** The smallest volume that is large enough, so that larger ones stay free for larger claims. */
function smallestFit(claim: PersistentVolumeClaim, { volumes }: ClaimContext): PersistentVolume | undefined {
  const wanted = storageOf(claim.spec?.resources?.requests);
  const modes = claim.spec?.accessModes ?? [];
  const fits = volumes.filter(
    ({ spec, status }) =>
      spec?.claimRef === undefined &&
      status?.phase === 'Available' &&
      (spec?.storageClassName ?? '') === (claim.spec?.storageClassName ?? '') &&
      modes.every((mode) => spec?.accessModes?.includes(mode)) &&
      compareQuantities(storageOf(spec?.capacity), wanted) >= 0,
  );
  return fits.toSorted((a, b) =>
    compareQuantities(storageOf(a.spec?.capacity), storageOf(b.spec?.capacity)),
  )[0];
}

function newVolume(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  context: ClaimContext,
): PersistentVolume {
  const { name = '', namespace = '', uid = '' } = claim.metadata ?? {};
  const affinity = zoneAffinity(storageClass, context);
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `pvc-${uid}`, annotations: { [provisionedBy]: storageClass.provisioner } },
    spec: {
      accessModes: claim.spec?.accessModes ?? ['ReadWriteOnce'],
      capacity: { storage: claim.spec?.resources?.requests?.['storage'] ?? '1Gi' },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid },
      csi: {
        driver: storageClass.provisioner,
        volumeHandle: `vol-${uid.replaceAll('-', '').slice(0, 17)}`,
        fsType: 'ext4',
      },
      ...(affinity !== undefined && { nodeAffinity: affinity }),
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
      ...(storageClass.metadata?.name !== undefined && { storageClassName: storageClass.metadata.name }),
      volumeMode: claim.spec?.volumeMode ?? 'Filesystem',
    },
  };
}

/** An EBS volume is in one zone: that of the selected node, or else one that the class allows. */
function zoneAffinity(
  storageClass: StorageClass,
  { node, nodes }: ClaimContext,
): VolumeNodeAffinity | undefined {
  const zone = node?.metadata?.labels?.[zoneLabel] ?? allowedZone(storageClass.allowedTopologies, nodes);
  if (zone === undefined) return undefined;
  const key = zoneKey(storageClass.provisioner, node ?? nodes[0]);
  return {
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: [zone] }] }] },
  };
}

/** The topology label of the driver if nodes have it, the common zone label otherwise. */
function zoneKey(driver: string, node: Node | undefined): string {
  const own = driverZones[driver];
  return own !== undefined && node?.metadata?.labels?.[own] !== undefined ? own : zoneLabel;
}

function allowedZone(
  terms: StorageClass['allowedTopologies'] = [],
  nodes: readonly Node[],
): string | undefined {
  const expressions = terms.flatMap(({ matchLabelExpressions = [] }) => matchLabelExpressions);
  const stated = expressions.find(({ key }) => key === zoneLabel || Object.values(driverZones).includes(key));
  return stated?.values[0] ?? nodes.flatMap(({ metadata }) => metadata?.labels?.[zoneLabel] ?? []).sort()[0];
}
