import { seconds } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { conditionsOf, readClaim } from './claims.ts';
import { createPodOn } from './objects.ts';
import { startTerminationWorld, type TerminationWorld } from './termination-world.ts';

let world: TerminationWorld;

beforeEach(async () => {
  world = await startTerminationWorld();
  await world.createNode();
});

afterEach(() => world.stop());

const attach = (name: string, source: { persistentVolumeName?: string; inlineVolumeSpec?: object }) =>
  world.client.create(kinds.volumeAttachment, {
    metadata: { name },
    spec: { attacher: 'csi.example.com', nodeName: 'node-a', source },
  });

async function drained(): Promise<void> {
  await world.deleteNode();
  await world.driver.pass(seconds(5));
  await world.driver.settle();
}

describe('a drained node', () => {
  it('waits until its volumes are detached, with an event that lists them', async () => {
    await attach('one', { persistentVolumeName: 'volume-1' });
    await attach('two', { persistentVolumeName: 'volume-2' });
    await drained();
    await world.driver.pass(seconds(30));
    expect(conditionsOf(await readClaim(world, 'a'))).toMatchObject({
      Drained: 'True Drained: ',
      VolumesDetached: 'Unknown AwaitingVolumeDetachment: ',
    });
    expect(world.cloud.callsOf('delete')).toEqual([]);
    expect(world.recorder.texts).toContain(
      'Node/node-a AwaitingVolumeDetachment: Awaiting deletion of bound volumeattachments (one, two)',
    );
    for (const name of ['one', 'two']) await world.client.delete(kinds.volumeAttachment, { name });
    await world.driver.pass(seconds(10));
    expect(await world.hasNode()).toBe(false);
  });

  it('polls every second while volumes are attached', async () => {
    await attach('one', { persistentVolumeName: 'volume-1' });
    await drained();
    const polls = () => world.recorder.texts.filter((text) => text.includes('AwaitingVolume')).length;
    const before = polls();
    await world.driver.pass(seconds(10));
    expect(polls() - before).toBe(10);
  });

  it('lists at most five volumes', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g'])
      await attach(name, { persistentVolumeName: name });
    await drained();
    expect(world.recorder.texts).toContain(
      'Node/node-a AwaitingVolumeDetachment: Awaiting deletion of bound volumeattachments (a, b, c, d, e and 2 other(s))',
    );
  });

  it('does not wait for volumes of pods that are not drained', async () => {
    await world.client.create(kinds.persistentVolumeClaim, {
      metadata: { name: 'data', namespace: 'default' },
      spec: {
        volumeName: 'volume-1',
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
      },
    });
    await createPodOn(world, 'node-a', 'tolerant', {
      tolerations: [{ key: 'karpenter.sh/disrupted', operator: 'Exists' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    });
    await attach('one', { persistentVolumeName: 'volume-1' });
    await drained();
    expect(await world.hasNode()).toBe(false);
  });

  it('does not wait for attachments without a persistent volume, or of other nodes', async () => {
    await attach('inline', { inlineVolumeSpec: { accessModes: ['ReadWriteOnce'] } });
    await world.client.create(kinds.volumeAttachment, {
      metadata: { name: 'elsewhere' },
      spec: { attacher: 'csi', nodeName: 'node-b', source: { persistentVolumeName: 'volume-2' } },
    });
    await drained();
    expect(await world.hasNode()).toBe(false);
  });
});
