import assert from 'node:assert/strict';
import { type Account, present, refused } from '../account.ts';
import { area } from '../conformance-case.ts';

const idsOf = (fleet: Awaited<ReturnType<Account['fleet']>>) =>
  (fleet.Instances ?? []).flatMap(({ InstanceIds }) => InstanceIds ?? []);

const codesOf = (fleet: Awaited<ReturnType<Account['fleet']>>) =>
  (fleet.Errors ?? []).map(({ ErrorCode }) => ErrorCode);

export const fleetCases = area('fleets', {
  'an instant fleet returns its instances': async (account) => {
    const fleet = await account.fleet();
    assert.match(fleet.FleetId ?? '', /^fleet-/);
    assert.equal(idsOf(fleet).length, 1);
    assert.deepEqual(fleet.Errors ?? [], []);
  },
  'a fleet launches the target capacity': async (account) => {
    assert.equal(new Set(idsOf(await account.fleet({ count: 5 }))).size, 5);
  },
  'a response names the override of each instance': async (account) => {
    const { SubnetId, AvailabilityZone } = await account.subnet();
    const overrides = [{ InstanceType: 'm5.large' as const, SubnetId, AvailabilityZone, Priority: 1 }];
    const { Instances = [] } = await account.fleet({ overrides });
    assert.equal(Instances[0]?.InstanceType, 'm5.large');
    assert.equal(Instances[0]?.Lifecycle, 'on-demand');
    assert.equal(Instances[0]?.LaunchTemplateAndOverrides?.Overrides?.SubnetId, SubnetId);
  },
  'the on-demand strategy lowest-price takes the cheapest type': async (account) => {
    const { SubnetId } = await account.subnet();
    const overrides = (['m5.4xlarge', 'm5.large', 'm5.xlarge'] as const).map((InstanceType) => ({
      InstanceType,
      SubnetId,
    }));
    const more = { OnDemandOptions: { AllocationStrategy: 'lowest-price' as const } };
    const { Instances = [] } = await account.fleet({ overrides, more });
    assert.equal(Instances[0]?.InstanceType, 'm5.large');
  },
  'the on-demand strategy prioritized takes the lowest number': async (account) => {
    const { SubnetId } = await account.subnet();
    const overrides = [
      { InstanceType: 'm5.large' as const, SubnetId, Priority: 2 },
      { InstanceType: 'm5.xlarge' as const, SubnetId, Priority: 1 },
    ];
    const more = { OnDemandOptions: { AllocationStrategy: 'prioritized' as const } };
    const { Instances = [] } = await account.fleet({ overrides, more });
    assert.equal(Instances[0]?.InstanceType, 'm5.xlarge');
  },
  'a spot fleet launches spot instances': async (account) => {
    const more = { SpotOptions: { AllocationStrategy: 'price-capacity-optimized' as const } };
    const [id = ''] = await account.running({ market: 'spot', more });
    const instance = await account.instance(id);
    assert.equal(instance.InstanceLifecycle, 'spot');
    assert.match(instance.SpotInstanceRequestId ?? '', /^sir-/);
  },
  'instances have the tags of the request': async (account) => {
    const Tags = [{ Key: 'karpenter.sh/nodepool', Value: account.name('pool') }];
    const [id = ''] = idsOf(
      await account.fleet({ more: { TagSpecifications: [{ ResourceType: 'instance', Tags }] } }),
    );
    const found = (await account.instance(id)).Tags ?? [];
    assert.ok(found.some(({ Key, Value }) => Key === Tags[0]?.Key && Value === Tags[0]?.Value));
  },
  'tags for other resources are not set on instances': async (account) => {
    const Tags = [{ Key: 'only-volumes', Value: 'x' }];
    const [id = ''] = idsOf(
      await account.fleet({ more: { TagSpecifications: [{ ResourceType: 'volume', Tags }] } }),
    );
    assert.ok(!((await account.instance(id)).Tags ?? []).some(({ Key }) => Key === 'only-volumes'));
  },
  'an override decides the image': async (account) => {
    const { SubnetId } = await account.subnet();
    const ImageId = await account.imageId('arm64');
    const overrides = [{ InstanceType: 'm6g.large' as const, SubnetId, ImageId }];
    const [id = ''] = idsOf(await account.fleet({ overrides }));
    assert.equal((await account.instance(id)).ImageId, ImageId);
  },
  'an unknown template name is rejected': async (account) => {
    await refused(
      account.fleet({ template: 'no-such-template' }),
      'InvalidLaunchTemplateName.NotFoundException',
    );
  },
  'a dry run launches nothing': async (account) => {
    const template = await account.template();
    await refused(account.fleet({ template, more: { DryRun: true } }), 'DryRunOperation');
  },
  'a missing image is an error of the fleet': async (account) => {
    const template = await account.template({ ImageId: 'ami-00000000000000000' });
    const fleet = await account.fleet({ template });
    assert.deepEqual(idsOf(fleet), []);
    assert.deepEqual(codesOf(fleet), ['InvalidAMIID.NotFound']);
  },
  'a missing profile is an error of the fleet': async (account) => {
    const template = await account.template({ IamInstanceProfile: { Name: 'no-such-profile' } });
    const fleet = await account.fleet({ template });
    assert.deepEqual(codesOf(fleet), ['InvalidParameterValue']);
    assert.match(fleet.Errors?.[0]?.ErrorMessage ?? '', /iamInstanceProfile\.name is invalid/);
  },
  'an image of another architecture is an error of the fleet': async (account) => {
    const template = await account.template({ ImageId: await account.imageId('arm64') });
    assert.deepEqual(codesOf(await account.fleet({ template })), ['InvalidParameterValue']);
  },
  'a missing subnet is an error of the fleet': async (account) => {
    const overrides = [{ InstanceType: 'm5.large' as const, SubnetId: 'subnet-00000000000000000' }];
    assert.deepEqual(codesOf(await account.fleet({ overrides })), ['InvalidSubnetID.NotFound']);
  },
  'an error names its override': async (account) => {
    const overrides = [{ InstanceType: 'm5.large' as const, SubnetId: 'subnet-00000000000000000' }];
    const [error] = (await account.fleet({ overrides })).Errors ?? [];
    const { Overrides } = present(error, 'an error').LaunchTemplateAndOverrides ?? {};
    assert.equal(Overrides?.InstanceType, 'm5.large');
    assert.equal(Overrides?.SubnetId, 'subnet-00000000000000000');
  },
  'a fleet with capacity zero is rejected': async (account) => {
    const template = await account.template();
    await refused(account.fleet({ template, count: 0 }), /^InvalidParameter/);
  },
  'a repeated request with the same client token launches nothing more': async (account) => {
    const template = await account.template();
    const more = { ClientToken: account.name('token') };
    const first = await account.fleet({ template, more });
    assert.deepEqual(idsOf(await account.fleet({ template, more })), idsOf(first));
  },
  'a client token with other parameters is rejected': async (account) => {
    const template = await account.template();
    const more = { ClientToken: account.name('token') };
    await account.fleet({ template, more });
    await refused(account.fleet({ template, more, count: 2 }), 'IdempotentParameterMismatch');
  },
});
