import { ec2NodeClasses, nodeClaims } from '@karpenter/aws';
import { minutes, type NodeClaim, seconds } from '@karpenter/core/api';
import type { CloudInstance } from '@karpenter/core/ports';
import { kinds } from '@karpenter/kube/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ControllerWorld, claimOf } from './controller-world.ts';

const tagged = 'karpenter.k8s.aws/tagged';
const clusterNameTagged = 'compatibility.karpenter.k8s.aws/cluster-name-tagged';

let world: ControllerWorld;
beforeEach(async () => {
  world = new ControllerWorld();
  await world.learnTypes();
  world.addClass();
  world.addPool();
  await world.start('nodeclass');
});
afterEach(() => world.stop());

/** An instance of the NodeClass without a NodeClaim in the cluster. */
async function launch(name: string): Promise<CloudInstance> {
  const requirements = [
    { key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: ['m5.large'] },
  ];
  const claim = claimOf(name, { spec: { ...claimOf(name).spec, requirements } });
  const instance = await world.answered(world.provider.cloud.create(claim));
  await world.advance(seconds(5));
  return instance;
}

function addClaim(name: string, { providerId }: CloudInstance, nodeName = `node-${name}`): NodeClaim {
  return world.api.put(nodeClaims, claimOf(name, { status: { providerID: providerId, nodeName } }));
}

function addNode(name: string, { providerId }: CloudInstance): void {
  world.api.put(kinds.node, { metadata: { name }, spec: { providerID: providerId } });
}

const instanceOf = ({ providerId }: CloudInstance) => {
  const found = world.cloud.world.instances.get(providerId.split('/').at(-1) ?? '');
  if (found === undefined) throw new Error('there is no such instance');
  return found;
};
const isAlive = (instance: CloudInstance) => ['pending', 'running'].includes(instanceOf(instance).state);

const batchOf = (instance: CloudInstance) => instanceOf(instance).tags.get('karpenter.k8s.aws/launch-batch');

describe('garbage collection', () => {
  it('terminates an instance without a NodeClaim, and its node, half a minute after the last launch', async () => {
    const orphan = await launch('orphan');
    const claimed = await launch('claimed');
    addClaim('claimed', claimed);
    addNode('node-orphan', orphan);
    addNode('node-claimed', claimed);
    await world.start('instance.garbagecollection');
    await world.advance(seconds(10));
    expect(isAlive(orphan)).toBe(true);
    await world.advance(seconds(30));
    expect([isAlive(orphan), isAlive(claimed)]).toEqual([false, true]);
    expect([...world.api.of(kinds.node).stored.keys()]).toEqual(['node-claimed']);
    expect(world.log.lines).toContain('debug garbage collected cloudprovider instance');
    expect(world.log.lines).toContain('debug garbage collected node');
  });

  it('terminates the instance of a launch whose reply was lost', async () => {
    world.cloud.faults.set({ lostReplies: [{ call: 'ec2:CreateFleet', chance: 1, times: 3 }] });
    await expect(launch('lost')).rejects.toMatchObject({ code: 'launch-failed' });
    const [instance] = world.cloud.world.instances.values();
    expect(instance?.state).toBe('pending');
    await world.start('instance.garbagecollection');
    await world.advance(minutes(1));
    expect(world.cloud.world.instances.size).toBe(1);
    expect(['shutting-down', 'terminated']).toContain(instance?.state);
  });

  it('deletes only a node that has neither an instance nor a NodeClaim', async () => {
    const gone = await launch('gone');
    const labels = { 'karpenter.sh/nodepool': 'default' };
    const spec = { providerID: gone.providerId };
    world.api.put(kinds.node, { metadata: { name: 'node-gone', labels }, spec });
    world.api.put(kinds.node, { metadata: { name: 'node-of-others' }, spec });
    world.cloud.terminate(instanceOf(gone).id);
    await world.advance(minutes(1));
    await world.start('instance.garbagecollection');
    await world.advance(seconds(1));
    expect([...world.api.of(kinds.node).stored.keys()]).toEqual(['node-of-others']);
  });

  it('keeps an instance that may belong to a NodeClaim of its batch', async () => {
    const { metadata } = world.api.put(nodeClaims, claimOf('waiting'));
    const instance = await launch('lost');
    const batch = `${batchOf(instance)}.${metadata.uid ?? metadata.name}`;
    const annotations = { 'karpenter.k8s.aws/launch-batch': batch };
    world.api.edit(nodeClaims, 'waiting', { metadata: { ...metadata, annotations } });
    await world.start('instance.garbagecollection');
    await world.advance(minutes(1));
    expect(isAlive(instance)).toBe(true);
    world.api.edit(nodeClaims, 'waiting', { status: { providerID: 'aws:///us-west-2a/i-0123' } });
    await world.advance(minutes(1));
    expect(isAlive(instance)).toBe(false);
  });

  it('terminates an instance whose batch no NodeClaim without an instance has', async () => {
    world.api.put(nodeClaims, claimOf('waiting'));
    const instance = await launch('lost');
    await world.start('instance.garbagecollection');
    await world.advance(minutes(1));
    expect(isAlive(instance)).toBe(false);
  });

  it('runs every ten seconds at first, and every two minutes later', async () => {
    await world.start('instance.garbagecollection');
    const runs = () =>
      world.outcomes.filter(({ controller }) => controller === 'instance.garbagecollection').length;
    await world.advance(seconds(195));
    expect(runs()).toBe(20);
    await world.advance(minutes(10));
    expect(runs()).toBe(25);
  });

  it('ignores NodeClaims of another provider', async () => {
    const instance = await launch('a');
    const nodeClassRef = { group: 'other.example', kind: 'OtherNodeClass', name: 'default' };
    const claim = claimOf('a', { status: { providerID: instance.providerId } });
    world.api.put(nodeClaims, { ...claim, spec: { ...claim.spec, nodeClassRef } });
    await world.start('instance.garbagecollection');
    await world.advance(minutes(1));
    expect(isAlive(instance)).toBe(false);
  });

  it('retries with backoff while instances cannot be terminated, until they are', async () => {
    const orphan = await launch('orphan');
    world.cloud.faults.set({ deny: ['ec2:TerminateInstances'] });
    await world.start('instance.garbagecollection');
    await world.advance(minutes(30));
    expect(isAlive(orphan)).toBe(true);
    const failures = world.errorsOf('instance.garbagecollection').length;
    expect(failures).toBeGreaterThan(5);
    expect(failures).toBeLessThan(30);
    world.cloud.faults.set({ deny: [] });
    await world.advance(minutes(20));
    expect(isAlive(orphan)).toBe(false);
  });
});

describe('tagging', () => {
  it('adds tags that were not known at launch, and records that on the NodeClaim', async () => {
    const instance = await launch('a');
    const { tags } = instanceOf(instance);
    addClaim('a', instance);
    await world.start('nodeclaim.tagging');
    await world.advance(seconds(2));
    expect([tags.get('Name'), tags.get('karpenter.sh/nodeclaim'), tags.get('eks:eks-cluster-name')]).toEqual([
      'node-a',
      'a',
      'prod',
    ]);
    const claim = world.api.of(nodeClaims).stored.get('a');
    expect(claim?.metadata.annotations).toEqual({ [tagged]: 'true', [clusterNameTagged]: 'true' });
    await world.advance(minutes(10));
    expect(world.calls('ec2:CreateTags')).toBe(1);
  });

  it('waits for the node, and ignores NodeClaims being deleted', async () => {
    const instance = await launch('a');
    addClaim('a', instance, '');
    await world.start('nodeclaim.tagging');
    await world.advance(seconds(2));
    expect(world.calls('ec2:CreateTags')).toBe(0);
    world.api.put(nodeClaims, claimOf('b', { metadata: { name: 'b', finalizers: ['x/y'] } }));
    world.api.remove(nodeClaims, 'b');
    world.api.edit(nodeClaims, 'b', { status: { nodeName: 'node-b', providerID: instance.providerId } });
    await world.advance(seconds(2));
    expect(world.calls('ec2:CreateTags')).toBe(0);
    world.api.edit(nodeClaims, 'a', { status: { nodeName: 'node-a' } });
    await world.advance(seconds(2));
    expect(world.calls('ec2:CreateTags')).toBe(1);
  });

  it('pauses a second after each instance', async () => {
    const instances = await Promise.all(['a', 'b', 'c'].map((name) => launch(name)));
    for (const [index, instance] of instances.entries()) addClaim(`claim-${index}`, instance);
    await world.start('nodeclaim.tagging');
    expect(world.calls('ec2:CreateTags')).toBe(1);
    await world.advance(seconds(1));
    expect(world.calls('ec2:CreateTags')).toBe(2);
    await world.advance(seconds(2));
    expect(world.calls('ec2:CreateTags')).toBe(3);
  });

  it('ignores an instance that is gone or not from EC2', async () => {
    const instance = await launch('a');
    const gone = { ...instance, providerId: 'aws:///us-west-2a/i-0123456789abcdef0' };
    addClaim('gone', gone);
    addClaim('odd', { ...instance, providerId: 'kind://node' });
    await world.start('nodeclaim.tagging');
    await world.advance(minutes(1));
    expect(world.errorsOf('nodeclaim.tagging')).toEqual([]);
    for (const name of ['gone', 'odd']) {
      expect(world.api.of(nodeClaims).stored.get(name)?.metadata.annotations).toBeUndefined();
    }
  });

  it('keeps a custom name tag, and sets the annotations even if no tag was missing', async () => {
    const instance = await launch('a');
    const { tags } = instanceOf(instance);
    tags.set('Name', 'mine');
    tags.set('karpenter.sh/nodeclaim', 'a');
    await world.answered(world.provider.instances.list());
    addClaim('a', instance);
    await world.start('nodeclaim.tagging');
    await world.advance(seconds(2));
    expect([tags.get('Name'), world.calls('ec2:CreateTags')]).toEqual(['mine', 0]);
    expect(world.api.of(nodeClaims).stored.get('a')?.metadata.annotations?.[tagged]).toBe('true');
  });
});

describe('instance profiles', () => {
  it('that were replaced are deleted after an hour, unless a node uses them', async () => {
    const first = world.nodeClass().status?.instanceProfile ?? '';
    for (const name of ['RoleB', 'RoleC']) {
      world.cloud.world.roles.set(name, { name, path: '/', id: `AROA${name}`, createdAt: 0 });
    }
    const { api, cloud } = world;
    const annotations = { 'karpenter.k8s.aws/instance-profile-name': first };
    api.put(nodeClaims, claimOf('a', { metadata: { name: 'a', annotations } }));
    api.edit(ec2NodeClasses, 'default', { spec: { role: 'RoleB' } });
    await world.advance(seconds(1));
    const second = world.nodeClass().status?.instanceProfile ?? '';
    api.edit(ec2NodeClasses, 'default', { spec: { role: 'RoleC' } });
    await world.advance(seconds(1));
    const third = world.nodeClass().status?.instanceProfile ?? '';
    expect(new Set([first, second, third]).size).toBe(3);

    await world.start('instanceprofile.garbagecollection');
    await world.advance(minutes(59));
    expect(cloud.world.instanceProfiles.size).toBe(3);
    await world.advance(minutes(32));
    expect([...cloud.world.instanceProfiles.keys()].sort()).toEqual([first, third].sort());
    api.remove(nodeClaims, 'a');
    await world.advance(minutes(30));
    expect([...cloud.world.instanceProfiles.keys()]).toEqual([third]);
  });
});
