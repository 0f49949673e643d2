import { awsMetrics, ec2NodeClasses, nodeClaims } from '@karpenter/aws';
import { hours, minutes, seconds } from '@karpenter/core/api';
import { afterEach, expect, it } from 'vitest';
import { ControllerWorld, claimOf, type WorldOptions } from './controller-world.ts';

let world: ControllerWorld;
afterEach(() => world.stop());

async function readyClass(options: WorldOptions = {}): Promise<void> {
  world = new ControllerWorld(options);
  await world.learnTypes();
  world.addClass();
  await world.start('nodeclass');
  expect(world.condition('Ready')).toBe('True Ready: ');
}

const waiting = () => world.events.filter((event) => event.includes('WaitingOnNodeClaimTermination'));

it('waits for the NodeClaims of the NodeClass, and then deletes its AWS resources', async () => {
  await readyClass();
  const { launchTemplates, instanceProfiles } = world.cloud.world;
  expect([launchTemplates.size, instanceProfiles.size]).toEqual([1, 1]);
  expect([...world.meters.gauges.keys()]).toContain(`${awsMetrics.userDataBytes.name}{nodeclass="default"}`);
  world.api.put(nodeClaims, claimOf('b'));
  world.api.put(nodeClaims, claimOf('a'));
  world.api.remove(ec2NodeClasses, 'default');
  await world.advance(minutes(25));
  expect(new Set(waiting())).toEqual(
    new Set([
      'EC2NodeClass/default WaitingOnNodeClaimTermination: Waiting on NodeClaim termination for a, b',
    ]),
  );
  expect(waiting().length).toBeLessThan(6);
  expect(world.hasClass()).toBe(true);
  expect([launchTemplates.size, instanceProfiles.size]).toEqual([1, 1]);

  world.api.remove(nodeClaims, 'a');
  await world.advance(seconds(1));
  expect(world.hasClass()).toBe(true);
  world.api.remove(nodeClaims, 'b');
  await world.advance(seconds(1));
  expect(world.hasClass()).toBe(false);
  expect([launchTemplates.size, instanceProfiles.size]).toEqual([0, 0]);
  expect([...world.meters.gauges.keys()]).not.toContain(
    `${awsMetrics.userDataBytes.name}{nodeclass="default"}`,
  );
});

it('names at most five NodeClaims, and none of other NodeClasses', async () => {
  await readyClass();
  for (const name of ['g', 'f', 'e', 'd', 'c', 'b', 'a']) world.api.put(nodeClaims, claimOf(name));
  const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'other' };
  world.api.put(nodeClaims, claimOf('0', { spec: { ...claimOf('0').spec, nodeClassRef } }));
  world.api.remove(ec2NodeClasses, 'default');
  await world.advance(seconds(1));
  expect(waiting()).toEqual([
    'EC2NodeClass/default WaitingOnNodeClaimTermination: Waiting on NodeClaim termination for a, b, c, d, e and 2 other(s)',
  ]);
});

it('keeps the NodeClass while a resource cannot be deleted, and retries with backoff', async () => {
  await readyClass();
  world.cloud.faults.set({ deny: ['iam:DeleteInstanceProfile'] });
  world.api.remove(ec2NodeClasses, 'default');
  await world.advance(hours(1));
  expect(world.nodeClass().metadata.finalizers).toEqual(['karpenter.k8s.aws/termination']);
  expect(world.calls('iam:DeleteInstanceProfile')).toBeLessThan(25);
  world.cloud.faults.set({ deny: [] });
  await world.advance(minutes(20));
  expect(world.hasClass()).toBe(false);
  expect(world.cloud.world.instanceProfiles.size).toBe(0);
});

it('makes no IAM call in an isolated VPC', async () => {
  await readyClass({ env: { ISOLATED_VPC: 'true' } });
  world.cloud.faults.set({ deny: ['iam:*'] });
  world.api.remove(ec2NodeClasses, 'default');
  await world.advance(seconds(1));
  expect(world.hasClass()).toBe(false);
  expect(world.errorsOf('nodeclass')).toEqual([]);
});

it('removes its finalizer although another client changed the finalizers meanwhile', async () => {
  await readyClass();
  const cache = world.api.of(ec2NodeClasses);
  world.api.edit(ec2NodeClasses, 'default', {
    metadata: { finalizers: ['karpenter.k8s.aws/termination', 'x/y'] },
  });
  world.api.remove(ec2NodeClasses, 'default');
  cache.hold();
  world.api.edit(ec2NodeClasses, 'default', { metadata: { finalizers: ['karpenter.k8s.aws/termination'] } });
  await world.advance(seconds(5));
  expect(world.hasClass()).toBe(true);
  cache.release();
  await world.advance(seconds(5));
  expect(world.hasClass()).toBe(false);
  expect(world.errorsOf('nodeclass')).toEqual([]);
});
