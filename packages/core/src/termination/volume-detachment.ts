import type { ClusterPod, StateObjects, VolumeAttachment } from '../state/index.ts';
import { isDrainable } from './drain.ts';

type VolumeClaim = StateObjects['PersistentVolumeClaim'];

export interface DetachmentInput {
  /** Attachments of the node. */
  readonly attachments: readonly VolumeAttachment[];
  readonly pods: readonly ClusterPod[];
  readonly volumeClaim: (namespace: string, name: string) => VolumeClaim | undefined;
  readonly at: number;
}

/**
 * The attachments that must be gone before the instance is terminated: a volume that is still attached cannot
 * be used elsewhere for minutes. Pods that the drain does not cover keep theirs.
 */
export function awaitedAttachments(input: DetachmentInput): readonly VolumeAttachment[] {
  const kept = new Set(
    input.pods.filter((pod) => !isDrainable(pod, input.at)).flatMap((pod) => volumesOf(pod, input)),
  );
  return input.attachments.filter(({ spec: { source } }) => {
    const { persistentVolumeName } = source;
    return persistentVolumeName !== undefined && !kept.has(persistentVolumeName);
  });
}

/** Names of the persistent volumes that a pod uses. */
function volumesOf(
  { metadata, spec }: ClusterPod,
  { volumeClaim }: Pick<DetachmentInput, 'volumeClaim'>,
): readonly string[] {
  return (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    const ownName = ephemeral === undefined ? undefined : `${metadata.name}-${name}`;
    const claimName = persistentVolumeClaim?.claimName ?? ownName;
    const claim = claimName === undefined ? undefined : volumeClaim(metadata.namespace, claimName);
    return claim?.spec.volumeName === undefined ? [] : [claim.spec.volumeName];
  });
}
