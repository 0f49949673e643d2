import assert from 'node:assert/strict';
import { present, refused } from '../account.ts';
import { area } from '../conformance-case.ts';

const zones = area('zones', {
  'the zones of the region have names, ids and a state': async ({ aws, cloud }) => {
    const { AvailabilityZones = [] } = await aws.ec2.describeAvailabilityZones({});
    assert.ok(AvailabilityZones.length >= 3);
    for (const zone of AvailabilityZones) {
      assert.ok(zone.ZoneName?.startsWith(cloud.region));
      assert.match(zone.ZoneId ?? '', /^[a-z]+\d-az\d$/);
      assert.equal(zone.State, 'available');
    }
  },
  'zones are filtered by their name': async ({ aws, cloud }) => {
    const Filters = [{ Name: 'zone-name', Values: [`${cloud.region}a`] }];
    const { AvailabilityZones = [] } = await aws.ec2.describeAvailabilityZones({ Filters });
    assert.deepEqual(
      AvailabilityZones.map(({ ZoneName }) => ZoneName),
      [`${cloud.region}a`],
    );
  },
});

const subnets = area('subnets', {
  'subnets are found by the value of a tag': async (account) => {
    const found = await account.subnets();
    assert.equal(new Set(found.map(({ AvailabilityZone }) => AvailabilityZone)).size, 3);
  },
  'subnets are found by the key of a tag': async ({ aws, cloud }) => {
    const Filters = [{ Name: 'tag-key', Values: ['karpenter.sh/discovery'] }];
    const { Subnets = [] } = await aws.ec2.describeSubnets({ Filters });
    const ours = { Key: 'karpenter.sh/discovery', Value: cloud.clusterName };
    assert.ok(
      Subnets.some(({ Tags = [] }) => Tags.some((tag) => tag.Key === ours.Key && tag.Value === ours.Value)),
    );
  },
  'an asterisk in a filter value matches any text': async ({ aws, cloud }) => {
    const Values = [`${cloud.clusterName.slice(0, 2)}*`];
    const { Subnets = [] } = await aws.ec2.describeSubnets({
      Filters: [{ Name: 'tag:karpenter.sh/discovery', Values }],
    });
    assert.ok(Subnets.length >= 3);
  },
  'filters are combined by AND, their values by OR': async (account) => {
    const all = await account.subnets();
    const [a, b] = [...new Set(all.map(({ AvailabilityZone }) => present(AvailabilityZone, 'a zone')))];
    const Filters = [...account.discovery, { Name: 'availability-zone', Values: [a ?? '', b ?? ''] }];
    const { Subnets = [] } = await account.aws.ec2.describeSubnets({ Filters });
    const expected = all.filter((each) => each.AvailabilityZone === a || each.AvailabilityZone === b);
    assert.equal(Subnets.length, expected.length);
  },
  'an unused tag finds nothing': async ({ aws }) => {
    const Filters = [{ Name: 'tag:karpenter.sh/discovery', Values: ['no-such-cluster'] }];
    assert.deepEqual((await aws.ec2.describeSubnets({ Filters })).Subnets, []);
  },
  'subnets are found by their id': async (account) => {
    const { SubnetId = '' } = await account.subnet();
    const Filters = [{ Name: 'subnet-id', Values: [SubnetId] }];
    const { Subnets = [] } = await account.aws.ec2.describeSubnets({ Filters });
    assert.deepEqual(
      Subnets.map((each) => each.SubnetId),
      [SubnetId],
    );
  },
  'an unknown subnet id is rejected': async ({ aws }) => {
    await refused(
      aws.ec2.describeSubnets({ SubnetIds: ['subnet-00000000000000000'] }),
      'InvalidSubnetID.NotFound',
    );
  },
  'an unknown filter is rejected': async ({ aws }) => {
    await refused(
      aws.ec2.describeSubnets({ Filters: [{ Name: 'no-such', Values: ['x'] }] }),
      /Invalid|FilterNotImplemented/,
    );
  },
  'subnets have their zone and number of free addresses': async (account) => {
    const subnet = await account.subnet();
    assert.ok((subnet.AvailableIpAddressCount ?? 0) > 0);
    assert.match(subnet.AvailabilityZoneId ?? '', /-az\d$/);
  },
  'a running instance uses an address and termination frees it': async (account) => {
    const { SubnetId, AvailableIpAddressCount: before = 0 } = await account.subnet();
    const free = async () =>
      (await account.subnets()).find((each) => each.SubnetId === SubnetId)?.AvailableIpAddressCount;
    const [id = ''] = await account.running();
    assert.equal(await free(), before - 1);
    await account.aws.ec2.terminateInstances({ InstanceIds: [id] });
    await account.cloud.settle(60_000);
    assert.equal(await free(), before);
  },
});

const groups = area('security groups', {
  'groups are found by a tag': async (account) => {
    assert.ok((await account.groupIds()).length >= 1);
  },
  'groups are found by their name': async ({ aws, cloud }) => {
    const Filters = [{ Name: 'group-name', Values: [`${cloud.clusterName}-node`] }];
    const { SecurityGroups = [] } = await aws.ec2.describeSecurityGroups({ Filters });
    assert.deepEqual(
      SecurityGroups.map(({ GroupName }) => GroupName),
      [`${cloud.clusterName}-node`],
    );
  },
  'groups are found by their id': async (account) => {
    const [id = ''] = await account.groupIds();
    const Filters = [{ Name: 'group-id', Values: [id] }];
    const { SecurityGroups = [] } = await account.aws.ec2.describeSecurityGroups({ Filters });
    assert.deepEqual(
      SecurityGroups.map(({ GroupId }) => GroupId),
      [id],
    );
  },
  'an unknown group id is rejected': async ({ aws }) => {
    await refused(
      aws.ec2.describeSecurityGroups({ GroupIds: ['sg-00000000000000000'] }),
      'InvalidGroup.NotFound',
    );
  },
  'groups belong to the network of the subnets': async (account) => {
    const { VpcId } = await account.subnet();
    const { SecurityGroups = [] } = await account.aws.ec2.describeSecurityGroups({
      Filters: account.discovery,
    });
    assert.ok(SecurityGroups.every((group) => group.VpcId === VpcId));
  },
});

const others = area('reservations and placement groups', {
  'an account without capacity reservations has an empty list of them': async ({ aws }) => {
    const Filters = [{ Name: 'state', Values: ['active'] }];
    assert.deepEqual((await aws.ec2.describeCapacityReservations({ Filters })).CapacityReservations, []);
  },
  'an unknown capacity reservation is rejected': async ({ aws }) => {
    const CapacityReservationIds = ['cr-00000000000000000'];
    await refused(
      aws.ec2.describeCapacityReservations({ CapacityReservationIds }),
      'InvalidCapacityReservationId.NotFound',
    );
  },
  'an unknown placement group is rejected': async ({ aws }) => {
    await refused(aws.ec2.describePlacementGroups({ GroupNames: ['none'] }), 'InvalidPlacementGroup.Unknown');
  },
  'a filter without matching placement groups returns an empty list': async ({ aws }) => {
    const Filters = [{ Name: 'strategy', Values: ['spread'] }];
    assert.deepEqual((await aws.ec2.describePlacementGroups({ Filters })).PlacementGroups, []);
  },
});

export const networkCases = [...zones, ...subnets, ...groups, ...others];
