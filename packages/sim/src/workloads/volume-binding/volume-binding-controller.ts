import { isAlreadyExists, keyOf, kinds, parseKey } from '@karpenter/kube/client';
import { changesOf } from '@karpenter/kube/runtime';
import type { PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';
import { keyTextOf } from '../../objects/object-key.ts';
import { type ControllerSetup, ignoreNotFound, type WorkloadControllerContext } from '../controller-setup.ts';
import { planClaim, provisionedBy, selectedNode } from './plan-claim.ts';

const bindCompleted = 'pv.kubernetes.io/bind-completed';
const defaultClass = 'storageclass.kubernetes.io/is-default-class';

/**
 * Binds claims to free volumes or provisions new ones, as the volume controller and the CSI provisioner do.
 */
export function volumeBindingController({
  caches,
  client,
  events,
}: WorkloadControllerContext): ControllerSetup {
  const claims = caches.of(kinds.persistentVolumeClaim);
  const volumes = caches.of(kinds.persistentVolume);
  const classes = caches.of(kinds.storageClass);
  const nodes = caches.of(kinds.node);

  function classOf({ spec }: PersistentVolumeClaim) {
    if (spec?.storageClassName !== undefined) return classes.get({ name: spec.storageClassName });
    return classes.list().find(({ metadata }) => metadata?.annotations?.[defaultClass] === 'true');
  }

  async function reconcile(key: string): Promise<undefined> {
    const claim = claims.get(parseKey(key));
    if (claim === undefined) return;
    const plan = planClaim(claim, {
      storageClass: classOf(claim),
      volumes: volumes.list(),
      node: nodes.get({ name: claim.metadata?.annotations?.[selectedNode] ?? '' }),
      nodes: nodes.list(),
    });
    if (plan.type === 'provision') await provision(claim, plan.volume);
    if (plan.type === 'bind') await bind(claim, plan.volume);
  }

  async function provision(claim: PersistentVolumeClaim, volume: PersistentVolume): Promise<void> {
    try {
      await bind(claim, await client.create(kinds.persistentVolume, volume));
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      await bind(claim, await client.get(kinds.persistentVolume, keyOf(volume)));
    }
    const message = `Successfully provisioned volume ${volume.metadata?.name ?? ''}`;
    events.publish(kinds.persistentVolumeClaim, claim, {
      type: 'Normal',
      reason: 'ProvisioningSucceeded',
      message,
    });
  }

  async function bind(claim: PersistentVolumeClaim, volume: PersistentVolume): Promise<void> {
    const { name = '', namespace = '', uid = '' } = claim.metadata ?? {};
    const volumeName = volume.metadata?.name ?? '';
    const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid };
    if (volume.spec?.claimRef?.uid !== uid) {
      const patch = { type: 'merge', body: { spec: { claimRef } } } as const;
      await client.patch(kinds.persistentVolume, keyOf(volume), patch);
    }
    const annotations = { [bindCompleted]: 'yes' };
    const body = { metadata: { annotations }, spec: { volumeName } };
    await client.patch(kinds.persistentVolumeClaim, keyOf(claim), { type: 'merge', body });
    await writePhases(claim, volume);
  }

  async function writePhases(claim: PersistentVolumeClaim, volume: PersistentVolume): Promise<void> {
    const { accessModes = [], capacity = {} } = volume.spec ?? {};
    const subresource = { subresource: 'status' } as const;
    const bound = { type: 'merge', body: { status: { phase: 'Bound' } } } as const;
    await client.patch(kinds.persistentVolume, keyOf(volume), bound, subresource);
    const status = { phase: 'Bound', accessModes, capacity };
    await client.patch(
      kinds.persistentVolumeClaim,
      keyOf(claim),
      { type: 'merge', body: { status } },
      subresource,
    );
  }

  /** Deletes a volume whose claim is gone, or marks it Released, by its reclaim policy. */
  async function reclaim(name: string): Promise<undefined> {
    const volume = volumes.get({ name });
    const claimRef = volume?.spec?.claimRef;
    if (volume === undefined || claimRef === undefined) return markAvailable(volume);
    const claim = claims.get({ namespace: claimRef.namespace ?? '', name: claimRef.name ?? '' });
    const isOwner =
      claim !== undefined && (claimRef.uid === undefined || claim.metadata?.uid === claimRef.uid);
    if (isOwner || volume.status?.phase !== 'Bound') return;
    const isOurs = volume.metadata?.annotations?.[provisionedBy] !== undefined;
    if (isOurs && volume.spec?.persistentVolumeReclaimPolicy === 'Delete') {
      await client.delete(kinds.persistentVolume, { name }).catch(ignoreNotFound);
    } else await writePhase(volume, 'Released');
  }

  async function markAvailable(volume: PersistentVolume | undefined): Promise<undefined> {
    if (volume !== undefined && volume.status?.phase !== 'Available') await writePhase(volume, 'Available');
  }

  async function writePhase(volume: PersistentVolume, phase: string): Promise<void> {
    const patch = { type: 'merge', body: { status: { phase } } } as const;
    await client
      .patch(kinds.persistentVolume, keyOf(volume), patch, { subresource: 'status' })
      .catch(ignoreNotFound);
  }

  const volumeKey = 'volume:';
  const waiting = () =>
    claims
      .list()
      .filter(({ status }) => status?.phase !== 'Bound')
      .map(keyTextOf);
  return {
    controller: {
      name: 'persistentvolume.binder',
      concurrency: 4,
      reconcile: (key) => (key.startsWith(volumeKey) ? reclaim(key.slice(volumeKey.length)) : reconcile(key)),
    },
    sources: [
      changesOf(claims, ({ object }) => [
        keyTextOf(object),
        ...(object.spec?.volumeName ? [`${volumeKey}${object.spec.volumeName}`] : []),
      ]),
      changesOf(volumes, ({ type, object }) => [
        `${volumeKey}${object.metadata?.name ?? ''}`,
        ...(type === 'deleted' ? [] : waiting()),
      ]),
      changesOf(classes, waiting),
    ],
  };
}
