import type { NodeClaim } from '@karpenter/core/api';
import { durationMs } from '@karpenter/core/values';
import { soldType } from '@karpenter/testkit/aws-calls';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import type { Ec2Instance } from '../instances/index.ts';
import { InheritedInstances } from './inherited-instances.ts';

const start = Date.UTC(2026, 0, 1);
const types = [soldType('m5.large'), soldType('c5.large')];

function claimOf(name: string, parts: { age?: number; type?: string; providerId?: string } = {}): NodeClaim {
  const { age = 60_000, type = 'm5.large', providerId } = parts;
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name,
      labels: { 'karpenter.sh/nodepool': 'default' },
      creationTimestamp: new Date(start - age).toISOString(),
    },
    spec: {
      requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: [type] }],
      nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
      expireAfter: 'Never',
    },
    ...(providerId !== undefined && { status: { providerID: providerId } }),
  };
}

function instanceOf(id: string, parts: Partial<Ec2Instance> = {}): Ec2Instance {
  return {
    id,
    type: 'm5.large',
    state: 'running',
    launchTime: start - 30_000,
    imageId: 'ami-1',
    zone: 'zone-a',
    capacityType: 'on-demand',
    tenancy: 'default',
    securityGroupIds: [],
    tags: { 'karpenter.sh/nodepool': 'default', 'karpenter.k8s.aws/ec2nodeclass': 'default' },
    efaCount: 0,
    ...parts,
  };
}

const tags = { 'karpenter.sh/nodepool': 'default', 'karpenter.k8s.aws/ec2nodeclass': 'default' };

/** A claim that was created after this process began to lead. */
function inBatch(name: string, batch: string): NodeClaim {
  const claim = claimOf(name);
  const annotations = { 'karpenter.k8s.aws/launch-batch': `${batch}.${name}` };
  return { ...claim, metadata: { ...claim.metadata, annotations, creationTimestamp: createdAtStart } };
}

const createdAtStart = new Date(start).toISOString();
const listed: Ec2Instance[] = [];

/** A process that does not lead yet. */
function waiting() {
  const clock = new VirtualClock(start);
  const claims: NodeClaim[] = [];
  const mismatches = new Map<string, number>();
  listed.length = 0;
  const inherited = new InheritedInstances({
    instances: { list: async () => listed },
    nodeClaims: { list: () => claims },
    batches: { isForeign: (batch) => batch !== 'own', lastMismatch: (batch) => mismatches.get(batch) },
    clock,
  });
  const add = (claim: NodeClaim) => {
    claims.push(claim);
    return claim;
  };
  return { clock, inherited, add, mismatches };
}

/** What claims of a process that starts now get, one after the other, by the id of the instance. */
async function taken(
  instances: readonly Ec2Instance[],
  claims: readonly NodeClaim[],
): Promise<readonly (string | undefined)[]> {
  const clock = new VirtualClock(start);
  const inherited = new InheritedInstances({
    instances: { list: async () => instances },
    nodeClaims: { list: () => claims },
    batches: { isForeign: (batch) => batch !== 'own', lastMismatch: () => undefined },
    clock,
  });
  const answers = claims.map((claim) => inherited.take(claim, types));
  await clock.advance(10_000);
  return (await Promise.all(answers)).map((launched) => launched?.instance.id);
}

describe('instances that an earlier process has started', () => {
  it('go to claims that are older than this process, one to each', async () => {
    const claims = [claimOf('a'), claimOf('b'), claimOf('c')];
    expect(await taken([instanceOf('i-1'), instanceOf('i-2')], claims)).toEqual(['i-1', 'i-2', undefined]);
  });

  it('are not for claims that are newer, nor for those that want something else', async () => {
    const claims = [claimOf('new', { age: -2_000 }), claimOf('other', { type: 'c5.large' })];
    expect(await taken([instanceOf('i-1')], claims)).toEqual([undefined, undefined]);
  });

  it.each<[string, Partial<Ec2Instance>]>([
    ['end', { state: 'shutting-down' }],
    ['are older than the claim', { launchTime: start - 90_000 }],
    ['are newer than the lead of this process', { launchTime: start + 6_000 }],
    ['are of another NodePool', { tags: { 'karpenter.k8s.aws/ec2nodeclass': 'default' } }],
    ['are in a zone that is not offered', { zone: 'zone-b' }],
    ['were bought otherwise than is offered', { capacityType: 'spot' }],
  ])('stay untaken if they %s', async (_, parts) => {
    expect(await taken([instanceOf('i-1', parts)], [claimOf('a')])).toEqual([undefined]);
  });

  it('stay with the claim that names them', async () => {
    const owner = claimOf('owner', { age: -2_000, providerId: 'aws:///zone-a/i-1' });
    expect(await taken([instanceOf('i-1')], [owner, claimOf('a')])).toEqual([undefined, undefined]);
  });

  it('are looked for by whoever begins to lead, however long it has waited for that', async () => {
    const { clock, inherited, add } = waiting();
    await clock.advance(3_600_000);
    const claim = add(claimOf('a', { age: -3_590_000 }));
    inherited.takeOver(durationMs(5_000));
    listed.push(instanceOf('i-1', { launchTime: start + 3_595_000 }));
    expect((await inherited.take(claim, types))?.instance.id).toBe('i-1');
  });

  it('do not keep claims of this process waiting, which are made within the first second', async () => {
    const { clock, inherited, add } = waiting();
    await clock.advance(700);
    inherited.takeOver(durationMs(0));
    const own = add(claimOf('own', { age: 0 }));
    listed.push(instanceOf('i-1'));
    expect(await inherited.take(own, types)).toBeUndefined();
    expect(clock.now()).toBe(start + 700);
  });

  it('go to claims of their batch only, whenever they were started', async () => {
    const { inherited, add } = waiting();
    inherited.takeOver(durationMs(5_000));
    const launchTime = start + 60_000;
    listed.push(
      instanceOf('i-1', { launchTime, tags: { ...tags, 'karpenter.k8s.aws/launch-batch': 'other' } }),
      instanceOf('i-2', { launchTime, tags: { ...tags, 'karpenter.k8s.aws/launch-batch': 'earlier' } }),
    );
    const [a, b] = [add(inBatch('a', 'earlier')), add(inBatch('b', 'earlier'))];
    expect((await inherited.take(a, types))?.instance.id).toBe('i-2');
    expect(await inherited.take(b, types)).toBeUndefined();
  });

  it('are not looked for by claims of a batch of this process, until EC2 says that a token is used', async () => {
    const { clock, inherited, add, mismatches } = waiting();
    const tagged = { ...tags, 'karpenter.k8s.aws/launch-batch': 'own' };
    inherited.takeOver(durationMs(5_000));
    const claim = add(inBatch('a', 'own'));
    listed.push(instanceOf('i-1', { launchTime: start, tags: tagged }));
    expect(await inherited.take(claim, types)).toBeUndefined();
    mismatches.set('own', clock.now());
    expect((await inherited.take(claim, types))?.instance.id).toBe('i-1');
  });

  it('are waited for after a mismatch, since EC2 may not list them yet', async () => {
    const { clock, inherited, add, mismatches } = waiting();
    const claim = add(inBatch('a', 'own'));
    mismatches.set('own', clock.now());
    const taken = inherited.take(claim, types);
    await clock.advance(4_999);
    const tagged = { ...tags, 'karpenter.k8s.aws/launch-batch': 'own' };
    listed.push(instanceOf('i-1', { launchTime: start, tags: tagged }));
    await clock.advance(1);
    expect((await taken)?.instance.id).toBe('i-1');
  });

  it('belong to one claim, whichever EC2 has started them for', async () => {
    const { inherited, add } = waiting();
    const [a, b] = [add(claimOf('a')), add(claimOf('b'))];
    const instance = instanceOf('i-1');
    expect([inherited.own(a, instance), inherited.own(b, instance), inherited.own(a, instance)]).toEqual([
      true,
      false,
      true,
    ]);
    const owner = add(claimOf('owner', { providerId: 'aws:///zone-a/i-2' }));
    expect(inherited.own(a, instanceOf('i-2'))).toBe(false);
    expect(inherited.own(owner, instanceOf('i-2'))).toBe(true);
  });
});
