import { createHash } from 'node:crypto';
import type { PersistentVolume, Pod } from 'kubernetes-types/core/v1.js';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.js';
import { isFinished } from '../../objects/pod-status.ts';

export interface AttachmentPlan {
  readonly attach: readonly VolumeAttachment[];
  readonly detach: readonly VolumeAttachment[];
}

export interface NodeVolumes {
  readonly nodeName: string;
  readonly pods: readonly Pod[];
  /** The volumes that the claims of a pod are bound to. */
  readonly volumesOf: (pod: Pod) => readonly PersistentVolume[];
  readonly attachments: readonly VolumeAttachment[];
}

/**
 * The attachments to add and remove so that exactly the volumes used by unfinished pods of the node are
 * attached.
 */
export function planAttachments({ nodeName, pods, volumesOf, attachments }: NodeVolumes): AttachmentPlan {
  const used = new Map<string, PersistentVolume>();
  for (const pod of pods.filter((one) => !isFinished(one))) {
    for (const volume of volumesOf(pod)) if (volume.spec?.csi) used.set(volume.metadata?.name ?? '', volume);
  }
  const attached = new Set(attachments.map(({ spec }) => spec.source.persistentVolumeName ?? ''));
  return {
    attach: [...used.values()]
      .filter(({ metadata }) => !attached.has(metadata?.name ?? ''))
      .map((volume) => attachment(volume, nodeName)),
    detach: attachments.filter(
      ({ spec, metadata }) =>
        !used.has(spec.source.persistentVolumeName ?? '') && metadata?.deletionTimestamp === undefined,
    ),
  };
}

/**
 * The name is a hash of volume, driver and node, as in the CSI attacher of Kubernetes, so that a retry
 * creates no second one.
 */
function attachment({ metadata, spec }: PersistentVolume, nodeName: string): VolumeAttachment {
  const driver = spec?.csi?.driver ?? '';
  const name = createHash('sha256')
    .update(`${spec?.csi?.volumeHandle ?? ''}${driver}${nodeName}`)
    .digest('hex');
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: `csi-${name}` },
    spec: { attacher: driver, nodeName, source: { persistentVolumeName: metadata?.name ?? '' } },
  };
}
