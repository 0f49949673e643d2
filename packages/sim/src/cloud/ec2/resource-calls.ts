import type { Clock } from '@karpenter/kube/runtime';
import { Refusal } from '../calls/refusal.ts';
import type { CapacityReservation } from '../world/capacity-reservation.ts';
import type { Image } from '../world/image.ts';
import type { Subnet } from '../world/subnet.ts';
import { tagList } from '../world/tags.ts';
import type { CloudWorld, SecurityGroup, SimulatedPlacementGroup, WorldZone } from '../world/world.ts';
import { refuseDryRun } from './dry-run.ts';
import { type FilterFields, matching } from './filters.ts';
import { pageOf } from './paging.ts';
import type { InputOf, ItemOf, OutputOf } from './shapes.ts';

const subnetFields: FilterFields<Subnet> = {
  'availability-zone': ({ zone }) => zone,
  'availability-zone-id': ({ zoneId }) => zoneId,
  'available-ip-address-count': ({ available }) => String(available),
  'cidr-block': ({ cidr }) => cidr,
  state: () => 'available',
  'subnet-id': ({ id }) => id,
  'vpc-id': ({ vpcId }) => vpcId,
};

const groupFields: FilterFields<SecurityGroup> = {
  description: ({ name }) => name,
  'group-id': ({ id }) => id,
  'group-name': ({ name }) => name,
  'vpc-id': ({ vpcId }) => vpcId,
};

const imageFields: FilterFields<Image> = {
  architecture: ({ architecture }) => architecture,
  'image-id': ({ id }) => id,
  'is-public': ({ ownerAlias }) => String(ownerAlias !== undefined),
  name: ({ name }) => name,
  'owner-alias': ({ ownerAlias }) => ownerAlias,
  'owner-id': ({ ownerId }) => ownerId,
  platform: ({ system }) => (system === 'windows' ? 'windows' : undefined),
  'root-device-type': () => 'ebs',
  state: ({ state }) => state,
  'virtualization-type': () => 'hvm',
};

const placementFields: FilterFields<SimulatedPlacementGroup> = {
  'group-name': ({ name }) => name,
  'group-id': ({ id }) => id,
  state: () => 'available',
  strategy: ({ strategy }) => strategy,
};

const zoneFields: FilterFields<WorldZone & { readonly region: string }> = {
  'opt-in-status': () => 'opt-in-not-required',
  'region-name': ({ region }) => region,
  state: () => 'available',
  'zone-id': ({ id }) => id,
  'zone-name': ({ name }) => name,
  'zone-type': () => 'availability-zone',
};

/** The describe calls for resources other than instances. */
export class ResourceCalls {
  readonly #world: CloudWorld;
  readonly #clock: Clock;

  constructor(world: CloudWorld, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
  }

  describeZones(input: InputOf<'describeAvailabilityZones'>): OutputOf<'describeAvailabilityZones'> {
    refuseDryRun(input.DryRun);
    const { region } = this.#world;
    const zones = this.#world.zones.map((zone) => ({ ...zone, region }));
    const selected = zones.filter(
      ({ id, name }) => (input.ZoneIds?.includes(id) ?? true) && (input.ZoneNames?.includes(name) ?? true),
    );
    return {
      AvailabilityZones: matching(selected, input.Filters, zoneFields).map(({ id, name }) => ({
        ZoneName: name,
        ZoneId: id,
        RegionName: region,
        GroupName: region,
        NetworkBorderGroup: region,
        ZoneType: 'availability-zone',
        State: 'available',
        OptInStatus: 'opt-in-not-required',
        Messages: [],
      })),
    };
  }

  describeSubnets(input: InputOf<'describeSubnets'>): OutputOf<'describeSubnets'> {
    refuseDryRun(input.DryRun);
    const selected = named(
      this.#world.subnets,
      input.SubnetIds,
      (id) => new Refusal('InvalidSubnetID.NotFound', `The subnet ID '${id}' does not exist`),
    );
    const { items, NextToken } = pageOf(
      matching(selected, input.Filters, subnetFields),
      ({ id }) => id,
      input,
      {
        min: 5,
        max: 1_000,
      },
    );
    return { Subnets: items.map((subnet) => this.#describeSubnet(subnet)), NextToken };
  }

  describeSecurityGroups(input: InputOf<'describeSecurityGroups'>): OutputOf<'describeSecurityGroups'> {
    refuseDryRun(input.DryRun);
    const selected = named(
      this.#world.securityGroups,
      input.GroupIds,
      (id) => new Refusal('InvalidGroup.NotFound', `The security group '${id}' does not exist`),
    );
    const { items, NextToken } = pageOf(
      matching(selected, input.Filters, groupFields),
      ({ id }) => id,
      input,
      {
        min: 5,
        max: 1_000,
      },
    );
    const { accountId: OwnerId } = this.#world;
    return {
      SecurityGroups: items.map(({ id, name, vpcId, tags }) => ({
        GroupId: id,
        GroupName: name,
        Description: name,
        VpcId: vpcId,
        OwnerId,
        Tags: tagList(tags),
        IpPermissions: [],
        IpPermissionsEgress: [],
      })),
      NextToken,
    };
  }

  describeImages(input: InputOf<'describeImages'>): OutputOf<'describeImages'> {
    refuseDryRun(input.DryRun);
    const selected = named(this.#world.images, input.ImageIds, (id) =>
      /^ami-[0-9a-z]+$/.test(id)
        ? new Refusal('InvalidAMIID.NotFound', `The image id '[${id}]' does not exist`)
        : new Refusal('InvalidAMIID.Malformed', `Invalid id: "${id}"`),
    );
    const shown = selected.filter(
      (image) => this.#isOwned(image, input.Owners) && this.#isCurrent(image, input),
    );
    const { items, NextToken } = pageOf(matching(shown, input.Filters, imageFields), ({ id }) => id, input, {
      min: 1,
      max: 1_000,
    });
    return { Images: items.map(describeImage), NextToken };
  }

  describePlacementGroups(input: InputOf<'describePlacementGroups'>): OutputOf<'describePlacementGroups'> {
    refuseDryRun(input.DryRun);
    const all = [...this.#world.placementGroups.values()];
    const unknown = [
      ...(input.GroupIds ?? []).filter((id) => !all.some((group) => group.id === id)),
      ...(input.GroupNames ?? []).filter((name) => !all.some((group) => group.name === name)),
    ];
    if (unknown.length > 0) {
      throw new Refusal('InvalidPlacementGroup.Unknown', `The Placement Group '${unknown[0]}' is unknown.`);
    }
    const selected = all.filter(
      ({ id, name }) => (input.GroupIds?.includes(id) ?? true) && (input.GroupNames?.includes(name) ?? true),
    );
    return {
      PlacementGroups: matching(selected, input.Filters, placementFields).map((group) =>
        this.#describeGroup(group),
      ),
    };
  }

  describeCapacityReservations(
    input: InputOf<'describeCapacityReservations'>,
  ): OutputOf<'describeCapacityReservations'> {
    refuseDryRun(input.DryRun);
    const selected = named(
      this.#world.capacityReservations,
      input.CapacityReservationIds,
      (id) =>
        new Refusal(
          'InvalidCapacityReservationId.NotFound',
          `The capacity reservation ID '${id}' does not exist`,
        ),
    );
    const found = matching(selected, input.Filters, this.#reservationFields());
    const { items, NextToken } = pageOf(found, ({ id }) => id, input, { min: 1, max: 1_000 });
    return { CapacityReservations: items.map((each) => this.#describeReservation(each)), NextToken };
  }

  #reservationFields(): FilterFields<CapacityReservation> {
    return {
      'availability-zone': ({ facts }) => facts.zone,
      'availability-zone-id': ({ facts }) => facts.zoneId,
      'instance-match-criteria': ({ facts }) => facts.matchCriteria,
      'instance-type': ({ facts }) => facts.type,
      'owner-id': ({ facts }) => facts.ownerId,
      state: (reservation) => reservation.stateAt(this.#clock.now()),
      tenancy: () => 'default',
    };
  }

  #describeReservation(
    reservation: CapacityReservation,
  ): ItemOf<OutputOf<'describeCapacityReservations'>['CapacityReservations']> {
    const { facts, available, id } = reservation;
    return {
      CapacityReservationId: id,
      CapacityReservationArn: `arn:aws:ec2:${this.#world.region}:${facts.ownerId}:capacity-reservation/${id}`,
      OwnerId: facts.ownerId,
      InstanceType: facts.type,
      InstancePlatform: 'Linux/UNIX',
      AvailabilityZone: facts.zone,
      AvailabilityZoneId: facts.zoneId,
      Tenancy: 'default',
      TotalInstanceCount: facts.total,
      AvailableInstanceCount: available,
      EbsOptimized: false,
      State: reservation.stateAt(this.#clock.now()),
      StartDate: new Date(facts.createdAt),
      CreateDate: new Date(facts.createdAt),
      EndDateType: facts.endsAt === undefined ? 'unlimited' : 'limited',
      ...(facts.endsAt !== undefined && { EndDate: new Date(facts.endsAt) }),
      InstanceMatchCriteria: facts.matchCriteria,
      ReservationType: facts.reservationType,
      Interruptible: facts.isInterruptible,
      Tags: tagList(facts.tags),
    };
  }

  #describeGroup(
    group: SimulatedPlacementGroup,
  ): ItemOf<OutputOf<'describePlacementGroups'>['PlacementGroups']> {
    const { accountId, region } = this.#world;
    const { id, name, strategy, partitions, tags } = group;
    return {
      GroupId: id,
      GroupName: name,
      GroupArn: `arn:aws:ec2:${region}:${accountId}:placement-group/${name}`,
      State: 'available',
      Strategy: strategy,
      ...(partitions !== undefined && { PartitionCount: partitions }),
      ...(strategy === 'spread' && { SpreadLevel: 'rack' }),
      Tags: tagList(tags),
    };
  }

  #describeSubnet(subnet: Subnet): ItemOf<OutputOf<'describeSubnets'>['Subnets']> {
    const { accountId, region } = this.#world;
    return {
      SubnetId: subnet.id,
      SubnetArn: `arn:aws:ec2:${region}:${accountId}:subnet/${subnet.id}`,
      OwnerId: accountId,
      State: 'available',
      VpcId: subnet.vpcId,
      CidrBlock: subnet.cidr,
      AvailableIpAddressCount: subnet.available,
      AvailabilityZone: subnet.zone,
      AvailabilityZoneId: subnet.zoneId,
      MapPublicIpOnLaunch: subnet.isPublic,
      DefaultForAz: false,
      AssignIpv6AddressOnCreation: false,
      Ipv6CidrBlockAssociationSet: [],
      Tags: tagList(subnet.tags),
    };
  }

  #isOwned({ ownerId, ownerAlias }: Image, owners: readonly string[] | undefined): boolean {
    if (owners === undefined || owners.length === 0) return true;
    const own = ownerId === this.#world.accountId ? ['self'] : [];
    return [ownerId, ownerAlias ?? '', ...own].some((name) => owners.includes(name));
  }

  /** EC2 shows a deprecated image to its owner, by id, and with IncludeDeprecated. */
  #isCurrent(
    { deprecatedAt, ownerId }: Image,
    { IncludeDeprecated, ImageIds }: InputOf<'describeImages'>,
  ): boolean {
    if (deprecatedAt === undefined || deprecatedAt > this.#clock.now()) return true;
    return IncludeDeprecated === true || (ImageIds ?? []).length > 0 || ownerId === this.#world.accountId;
  }
}

/** The items with the given ids, or all without ids. Throws for the first id that does not exist. */
function named<T>(
  items: ReadonlyMap<string, T>,
  ids: readonly string[] | undefined,
  missing: (id: string) => Refusal,
): readonly T[] {
  if (ids === undefined || ids.length === 0) return [...items.values()];
  return [...new Set(ids)].map((id) => {
    const found = items.get(id);
    if (found === undefined) throw missing(id);
    return found;
  });
}

function describeImage(image: Image): ItemOf<OutputOf<'describeImages'>['Images']> {
  const isWindows = image.system === 'windows';
  return {
    ImageId: image.id,
    ImageLocation: `${image.ownerAlias ?? image.ownerId}/${image.name}`,
    Name: image.name,
    OwnerId: image.ownerId,
    ...(image.ownerAlias !== undefined && { ImageOwnerAlias: image.ownerAlias }),
    Architecture: image.architecture,
    CreationDate: new Date(image.createdAt).toISOString(),
    ...(image.deprecatedAt !== undefined && { DeprecationTime: new Date(image.deprecatedAt).toISOString() }),
    State: image.state,
    Public: image.ownerAlias !== undefined,
    ImageType: 'machine',
    PlatformDetails: isWindows ? 'Windows' : 'Linux/UNIX',
    ...(isWindows && { Platform: 'Windows' }),
    RootDeviceName: image.rootDevice,
    RootDeviceType: 'ebs',
    VirtualizationType: 'hvm',
    Hypervisor: 'xen',
    EnaSupport: true,
    BlockDeviceMappings: Object.entries(image.disks).map(([DeviceName, VolumeSize]) => ({
      DeviceName,
      Ebs: { VolumeSize, VolumeType: 'gp3', DeleteOnTermination: true, Encrypted: false },
    })),
    Tags: tagList(image.tags),
  };
}
