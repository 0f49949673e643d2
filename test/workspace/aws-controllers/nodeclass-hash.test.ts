import { ec2NodeClasses, nodeClaims } from '@karpenter/aws';
import { minutes, seconds } from '@karpenter/core/api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ControllerWorld, claimOf } from './controller-world.ts';

const hashKey = 'karpenter.k8s.aws/ec2nodeclass-hash';
const versionKey = 'karpenter.k8s.aws/ec2nodeclass-hash-version';

let world: ControllerWorld;
beforeEach(() => {
  world = new ControllerWorld();
});
afterEach(() => world.stop());

function addClaim(name: string, annotations: Readonly<Record<string, string>>, isDrifted = false): void {
  const drifted = {
    type: 'Drifted',
    status: 'True',
    reason: 'AMIDrift',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  } as const;
  const status = { conditions: isDrifted ? [drifted] : [] };
  world.api.put(nodeClaims, claimOf(name, { metadata: { name, annotations }, status }));
}

const annotationsOf = (name: string) => world.api.of(nodeClaims).stored.get(name)?.metadata.annotations;

it('annotates a NodeClass with its hash, and again when a hashed field changes', async () => {
  const nodeClass = world.addClass();
  await world.start('nodeclass.hash');
  const first = world.nodeClass().metadata.annotations;
  expect(first).toEqual({ [hashKey]: world.provider.hashOf(nodeClass), [versionKey]: 'v5' });
  world.api.edit(ec2NodeClasses, 'default', { spec: { ipPrefixCount: 2 } });
  await world.advance(seconds(1));
  expect(world.nodeClass().metadata.annotations).toEqual(first);
  world.api.edit(ec2NodeClasses, 'default', { spec: { tags: { team: 'a' } } });
  await world.advance(seconds(1));
  expect(world.nodeClass().metadata.annotations?.[hashKey]).not.toBe(first?.[hashKey]);
  expect(world.api.writes).toEqual(['patch EC2NodeClass/default', 'patch EC2NodeClass/default']);
});

it('keeps the hash of NodeClaims when the spec changes, so that they drift', async () => {
  world.addClass();
  await world.start('nodeclass.hash');
  addClaim('a', { [hashKey]: '1', [versionKey]: 'v5' });
  world.api.edit(ec2NodeClasses, 'default', { spec: { tags: { team: 'a' } } });
  await world.advance(seconds(1));
  expect(annotationsOf('a')).toEqual({ [hashKey]: '1', [versionKey]: 'v5' });
});

it('updates NodeClaims to a new hash version, except drifted ones', async () => {
  world.addClass();
  world.api.edit(ec2NodeClasses, 'default', {
    metadata: { annotations: { [hashKey]: '1', [versionKey]: 'v4' } },
  });
  addClaim('stale', { [hashKey]: '1', [versionKey]: 'v4' });
  addClaim('drifted', { [hashKey]: '0', [versionKey]: 'v4' }, true);
  addClaim('fresh', { [hashKey]: '7', [versionKey]: 'v5' });
  await world.start('nodeclass.hash');
  const hash = world.provider.hashOf(world.nodeClass());
  expect(annotationsOf('stale')).toEqual({ [hashKey]: hash, [versionKey]: 'v5' });
  expect(annotationsOf('drifted')).toEqual({ [hashKey]: '0', [versionKey]: 'v5' });
  expect(annotationsOf('fresh')).toEqual({ [hashKey]: '7', [versionKey]: 'v5' });
  expect(world.nodeClass().metadata.annotations).toEqual({ [hashKey]: hash, [versionKey]: 'v5' });
  const writes = [...world.api.writes];
  await world.advance(minutes(10));
  expect(world.api.writes).toEqual(writes);
});

it('ignores a NodeClaim that is gone, and a NodeClass being deleted', async () => {
  world.addClass();
  world.api.edit(ec2NodeClasses, 'default', { metadata: { annotations: { [versionKey]: 'v4' } } });
  addClaim('gone', { [versionKey]: 'v4' });
  world.api.of(nodeClaims).hold();
  world.api.remove(nodeClaims, 'gone');
  await world.start('nodeclass.hash');
  expect(world.errorsOf('nodeclass.hash')).toEqual([]);
  expect(world.nodeClass().metadata.annotations?.[versionKey]).toBe('v5');

  world.api.edit(ec2NodeClasses, 'default', { metadata: { finalizers: ['x/y'] } });
  world.api.remove(ec2NodeClasses, 'default');
  const writes = [...world.api.writes];
  world.api.edit(ec2NodeClasses, 'default', { spec: { tags: { team: 'a' } } });
  await world.advance(seconds(1));
  expect(world.api.writes).toEqual(writes);
});
