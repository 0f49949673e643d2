import { isAlreadyExists, keyOf, kinds } from '@karpenter/kube/client';
import { changesOf } from '@karpenter/kube/runtime';
import type { PersistentVolume, Pod } from 'kubernetes-types/core/v1.js';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.js';
import { claimNames } from '../../kube-scheduler/pods/pod-info.ts';
import { type ControllerSetup, ignoreNotFound, type WorkloadControllerContext } from '../controller-setup.ts';
import { planAttachments } from './plan-attachments.ts';

/**
 * Attaches volumes to the nodes whose pods use them, and detaches them after the last such pod. Karpenter
 * waits for the VolumeAttachments of a node before it terminates the instance.
 */
export function attachDetachController({ caches, client }: WorkloadControllerContext): ControllerSetup {
  const pods = caches.of(kinds.pod, { node: ({ spec }) => [spec?.nodeName ?? ''] });
  const claims = caches.of(kinds.persistentVolumeClaim);
  const volumes = caches.of(kinds.persistentVolume);
  const attachments = caches.of(kinds.volumeAttachment, { node: ({ spec }) => [spec.nodeName] });

  function volumesOf(pod: Pod): readonly PersistentVolume[] {
    return claimNames(pod).flatMap((name) => {
      const claim = claims.get({ namespace: pod.metadata?.namespace ?? '', name });
      return volumes.get({ name: claim?.spec?.volumeName ?? '' }) ?? [];
    });
  }

  async function reconcile(nodeName: string): Promise<undefined> {
    const { attach, detach } = planAttachments({
      nodeName,
      pods: pods.byIndex('node', nodeName),
      volumesOf,
      attachments: attachments.byIndex('node', nodeName),
    });
    for (const one of attach) await create(one);
    for (const one of detach) await client.delete(kinds.volumeAttachment, keyOf(one)).catch(ignoreNotFound);
  }

  /** Creates the attachment and marks it attached; the simulated CSI driver attaches immediately. */
  async function create(attachment: VolumeAttachment): Promise<void> {
    try {
      await client.create(kinds.volumeAttachment, attachment);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    const patch = { type: 'merge', body: { status: { attached: true } } } as const;
    await client.patch(kinds.volumeAttachment, keyOf(attachment), patch, { subresource: 'status' });
  }

  const nodeOf = (pod: Pod | undefined) =>
    pod?.spec?.nodeName && claimNames(pod).length > 0 ? [pod.spec.nodeName] : [];
  return {
    controller: { name: 'attachdetach', concurrency: 5, reconcile },
    sources: [
      changesOf(pods, ({ object }) => nodeOf(object)),
      changesOf(attachments, ({ object }) => [object.spec.nodeName]),
      {
        start: () => () => undefined,
        ready: (signal) =>
          Promise.all([claims.waitForSync(signal), volumes.waitForSync(signal)]).then(() => undefined),
      },
    ],
  };
}
