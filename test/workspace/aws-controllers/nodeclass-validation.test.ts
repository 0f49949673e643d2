import { ec2NodeClasses } from '@karpenter/aws';
import { minutes, seconds } from '@karpenter/core/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ControllerWorld, type WorldOptions } from './controller-world.ts';

let world: ControllerWorld;
beforeEach(() => prepare());
afterEach(() => world.stop());

async function prepare(options: WorldOptions = {}): Promise<void> {
  world = new ControllerWorld(options);
  await world.learnTypes();
}

/** Makes the action fail so many times. */
function refusal(call: string, code: string, times = Number.POSITIVE_INFINITY, message = code) {
  return { call, code, message, status: code.startsWith('Internal') ? 500 : 400, chance: 1, times };
}

const verdict = () => world.condition('ValidationSucceeded');
const succeeded = 'True ValidationSucceeded: ';
const noPolicy =
  'User is not authorized to perform this operation because no identity-based policy allows it';

describe('a valid NodeClass', () => {
  it('is validated once with a launch template and dry runs of a fleet and an instance', async () => {
    world.addClass();
    await world.start('nodeclass');
    expect(verdict()).toBe(succeeded);
    expect(world.cloud.world.launchTemplates.size).toBe(1);
    expect(world.cloud.world.instances.size).toBe(0);
    const calls = ['ec2:CreateLaunchTemplate', 'ec2:CreateFleet', 'ec2:RunInstances'];
    expect(calls.map((call) => world.calls(call))).toEqual([1, 1, 1]);
    await world.advance(minutes(29));
    expect(calls.map((call) => world.calls(call))).toEqual([1, 1, 1]);
  });

  it('is validated again after half an hour, and at once after a change of annotations', async () => {
    world.addClass();
    await world.start('nodeclass');
    world.api.edit(ec2NodeClasses, 'default', { metadata: { annotations: { try: 'again' } } });
    await world.advance(seconds(1));
    expect(world.calls('ec2:CreateFleet')).toBe(2);
    await world.advance(minutes(31));
    expect(world.calls('ec2:CreateFleet')).toBe(3);
  });

  it('is not validated if dry runs are disabled', async () => {
    await world.stop();
    world = new ControllerWorld({ env: { DISABLE_DRY_RUN: 'true' }, faults: { deny: ['ec2:CreateFleet'] } });
    world.addClass();
    await world.start('nodeclass');
    expect(verdict()).toBe(succeeded);
    expect(world.calls('ec2:CreateFleet')).toBe(0);
  });

  it('needs only one subnet that allows instances', async () => {
    world.cloud.faults.set({ errors: [refusal('ec2:RunInstances', 'UnauthorizedOperation', 2)] });
    world.addClass();
    await world.start('nodeclass');
    expect(verdict()).toBe(succeeded);
    expect(world.calls('ec2:RunInstances')).toBe(3);
  });
});

describe('a NodeClass that EC2 rejects', () => {
  it.each(['CreateLaunchTemplate', 'CreateFleet', 'RunInstances'])(
    'reports that the controller may not call %s, until it may',
    async (action) => {
      world.cloud.faults.set({ deny: [`ec2:${action}`] });
      world.addClass();
      await world.start('nodeclass');
      expect(verdict()).toBe(
        `False ${action}AuthCheckFailed: Controller isn't authorized to call ec2:${action}: ${noPolicy}`,
      );
      expect(world.condition('Ready')).toBe('False UnhealthyDependents: ValidationSucceeded=False');
      expect(world.errorsOf('nodeclass')).toEqual([]);
      expect(world.log.lines).toContain(`error unauthorized to call ec2:${action}`);
      const asked = world.calls(`ec2:${action}`);
      await world.advance(minutes(29));
      expect(world.calls(`ec2:${action}`)).toBe(asked);

      world.cloud.faults.set({ deny: [] });
      await world.advance(minutes(2));
      expect(verdict()).toBe(succeeded);
      expect(world.condition('Ready')).toBe('True Ready: ');
    },
  );

  it('reports that its user data is too large', async () => {
    world.addClass({ userData: `#!/bin/bash\n${'#'.repeat(17_000)}\n` });
    await world.start('nodeclass');
    expect(verdict()).toBe(
      'False UserDataSizeLimitExceeded: ec2:CreateLaunchTemplate rejected the rendered user data as too large: Rendered user data exceeds the EC2 user data size limit',
    );
  });

  it('reports restricted tags', async () => {
    world.addClass({ tags: { team: 'a', 'karpenter.sh/nodepool': 'b', 'kubernetes.io/cluster/prod': 'c' } });
    await world.start('nodeclass');
    expect(verdict()).toBe(
      'False TagValidationFailed: tags failed validation requirements (tags="karpenter.sh/nodepool", "kubernetes.io/cluster/prod")',
    );
    expect(world.calls('ec2:CreateLaunchTemplate')).toBe(0);
  });

  it('reports that the service CIDR is unknown, if its image family needs it', async () => {
    // The start asks for it as well.
    await world.stop();
    await prepare({ faults: { deny: ['eks:DescribeCluster'] } });
    world.addClass();
    world.addClass({ amiSelectorTerms: [{ alias: 'bottlerocket@latest' }] }, 'other');
    await world.start('nodeclass');
    expect(verdict()).toBe('False ClusterCIDRResolutionFailed: Failed to detect the cluster CIDR');
    expect(world.errorsOf('nodeclass')[0]).toMatchObject({ code: 'AccessDeniedException' });
    expect(world.condition('ValidationSucceeded', 'other')).toBe(succeeded);
  });

  it('for an unrelated reason stays unknown, and the reconcile fails', async () => {
    world.cloud.faults.set({ errors: [refusal('ec2:CreateFleet', 'OptInRequired')] });
    world.addClass();
    await world.start('nodeclass');
    await world.advance(minutes(10));
    expect(verdict()).toMatch(/^Unknown AwaitingReconciliation/);
    expect(world.errorsOf('nodeclass')[0]).toMatchObject({ code: 'OptInRequired' });
    expect(world.calls('ec2:CreateFleet')).toBeLessThan(20);
  });
});

describe('a NodeClass that EC2 cannot validate at the moment', () => {
  it.each([
    ['RequestLimitExceeded', 'ec2:CreateFleet'],
    ['InternalError', 'ec2:RunInstances'],
  ])('because of %s is retried with backoff and without an error', async (code, call) => {
    world.cloud.faults.set({ errors: [refusal(call, code)] });
    world.addClass();
    await world.start('nodeclass');
    await world.advance(minutes(10));
    expect(verdict()).toMatch(/^Unknown AwaitingReconciliation/);
    expect(world.errorsOf('nodeclass')).toEqual([]);
    const passes = world.calls('ec2:CreateFleet');
    expect(passes).toBeGreaterThan(10);
    expect(passes).toBeLessThan(20);

    world.cloud.faults.set({ errors: [] });
    await world.advance(minutes(1));
    expect(verdict()).toBe(succeeded);
  });

  it('because its instance profile is new becomes ready later', async () => {
    world.cloud.faults.set({ consistency: { describe: 0, profile: 10_000 } });
    world.addClass();
    await world.start('nodeclass');
    expect(verdict()).toMatch(/^Unknown AwaitingReconciliation/);
    await world.advance(seconds(20));
    expect(verdict()).toBe(succeeded);
    expect(world.errorsOf('nodeclass')).toEqual([]);
  });
});
