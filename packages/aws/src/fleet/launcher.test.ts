import type { CreateFleetCommandInput, CreateFleetError } from '@aws-sdk/client-ec2';
import type { NodeClaim } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import { durationMs } from '@karpenter/core/values';
import {
  AwsRefusal,
  ec2NodeClass,
  RecordedLogText,
  recordedCall,
  soldType,
} from '@karpenter/testkit/aws-calls';
import { VirtualClock } from '@karpenter/testkit/clock';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FleetResponse } from '../batching/index.ts';
import { LaunchesInFlight } from '../instances/index.ts';
import { launchTemplateName, type TemplateOptions } from '../launch-templates/index.ts';
import { SubnetAddresses } from '../network/index.ts';
import type { EC2NodeClass } from '../node-class/index.ts';
import { Launcher } from './launcher.ts';

const amd64 = [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }];
const nodeClass: EC2NodeClass = ec2NodeClass({
  spec: {
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    subnetSelectorTerms: [{ id: 'subnet-a' }],
    securityGroupSelectorTerms: [{ id: 'sg-1' }],
    role: 'role',
  },
  status: {
    subnets: [
      { id: 'subnet-a', zone: 'zone-a', zoneID: 'az1' },
      { id: 'subnet-b', zone: 'zone-b', zoneID: 'az2' },
    ],
    securityGroups: [{ id: 'sg-1' }],
    amis: [{ id: 'ami-1', requirements: amd64 }],
    instanceProfile: 'profile',
  },
});

const nodeClaim = (capacityType = 'on-demand'): NodeClaim => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name: 'c' },
  spec: {
    requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: [capacityType] }],
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    expireAfter: '720h',
  },
});

const offerings = [{}, { zone: 'zone-b' }, { as: 'spot' as const, price: 0.3 }];
const types = [soldType('m5.large', { offerings }), soldType('c5.large', { offerings })];

function started(input: CreateFleetCommandInput): FleetResponse {
  const Overrides = input.LaunchTemplateConfigs?.[0]?.Overrides?.[0];
  const InstanceType = Overrides?.InstanceType;
  return {
    FleetId: 'fleet-1',
    Instances: [
      {
        InstanceIds: ['i-1'],
        ...(InstanceType && { InstanceType }),
        LaunchTemplateAndOverrides: { Overrides },
      },
    ],
  };
}

const errorIn = (
  ErrorCode: string,
  ErrorMessage = ErrorCode,
  type: 'm5.large' | 'c5.large' = 'm5.large',
): CreateFleetError => ({
  ErrorCode,
  ErrorMessage,
  LaunchTemplateAndOverrides: {
    Overrides: { InstanceType: type, AvailabilityZone: 'zone-a', SubnetId: 'subnet-a' },
  },
});

let learnt: unknown[];
let failures: unknown[];
let ensured: TemplateOptions[];
let invalidated: string[];
let addresses: SubnetAddresses;
let log: RecordedLogText;

beforeEach(() => {
  [learnt, failures, ensured, invalidated] = [[], [], [], []];
  log = new RecordedLogText();
  addresses = new SubnetAddresses(new VirtualClock(), durationMs(60_000));
  addresses.read('subnet-a', 100);
  addresses.read('subnet-b', 50);
});

function launcher(
  createFleet: (input: CreateFleetCommandInput) => Promise<FleetResponse>,
  cidr: string | undefined = '10.0.0.0/16',
) {
  const note = (what: string) => (details: unknown) => {
    learnt.push([what, details]);
  };
  const clock = new VirtualClock(1000);
  return new Launcher({
    ec2: { createFleet: ({ input }) => createFleet(input) },
    clock,
    launches: new LaunchesInFlight(clock),
    log,
    templates: {
      ensure: async (options) => {
        ensured.push(options);
        if (options.bootstrap.cluster.cidr === undefined) throw new AwsRefusal('unused');
        return launchTemplateName(options);
      },
      invalidate: (name) => invalidated.push(name),
    },
    subnets: addresses,
    trackers: {
      unavailableOfferings: {
        markUnavailable: note('offering'),
        markLaunched: () => undefined,
        markCapacityTypeUnavailable: note('capacity type'),
        markSubnetUnavailable: note('subnet'),
        markSuspect: (offerings) => {
          learnt.push(['suspect', offerings]);
          return durationMs(180_000);
        },
      },
      reservations: {
        markLaunched: note('launched'),
        markTerminated: note('terminated'),
        markUnavailable: note('reservation'),
      },
    },
    settings: () => ({
      cluster: { name: 'dev', endpoint: 'https://dev', cidr, dnsIp: '10.0.0.10' },
      region: 'us-east-1',
      reservedCapacity: true,
      minValuesPolicy: 'Strict',
    }),
    onFailure: (failure) => failures.push(failure),
  });
}

const batch = { id: 'one', mismatches: 0 };

const launch = (one: Launcher, capacityType?: string, instanceTypes: readonly InstanceType[] = types) =>
  one.launch({ nodeClass, batch, nodeClaim: nodeClaim(capacityType), instanceTypes, tags: { team: 'a' } });

describe('a launch', () => {
  it('asks for every offering that is wanted, and knows the instance from the answer', async () => {
    const createFleet = recordedCall(started);
    const { instance, type } = await launch(launcher(createFleet));
    expect(createFleet.inputs[0]).toMatchObject({
      Type: 'instant',
      TargetCapacitySpecification: { DefaultTargetCapacityType: 'on-demand', TotalTargetCapacity: 1 },
      OnDemandOptions: { AllocationStrategy: 'lowest-price' },
    });
    const overrides = createFleet.inputs[0]?.LaunchTemplateConfigs?.[0]?.Overrides ?? [];
    expect(overrides.map(({ InstanceType, SubnetId }) => `${InstanceType} ${SubnetId}`)).toEqual([
      'c5.large subnet-a',
      'c5.large subnet-b',
      'm5.large subnet-a',
      'm5.large subnet-b',
    ]);
    expect(instance).toMatchObject({
      id: 'i-1',
      type: 'c5.large',
      zone: 'zone-a',
      zoneId: 'az1',
      imageId: 'ami-1',
      capacityType: 'on-demand',
      launchTime: 1000,
    });
    expect(type.name).toBe('c5.large');
  });

  it('reckons with the addresses of the node it started, and only those', async () => {
    await launch(launcher(async (input) => started(input)));
    expect(addresses.free('subnet-a')).toBe(71);
    expect(addresses.free('subnet-b')).toBe(50);
  });

  it('learns from errors even when an instance was started', async () => {
    const errors = [errorIn('InsufficientInstanceCapacity'), errorIn('InsufficientFreeAddressesInSubnet')];
    await launch(launcher(async (input) => ({ ...started(input), Errors: errors })));
    expect(learnt).toEqual([
      [
        'offering',
        expect.objectContaining({
          instanceType: 'm5.large',
          zone: 'zone-a',
          capacityType: 'on-demand',
          reason: 'InsufficientInstanceCapacity',
          fleetId: 'fleet-1',
        }),
      ],
      ['subnet', 'subnet-a'],
      ['offering', expect.objectContaining({ reason: 'InsufficientFreeAddressesInSubnet' })],
    ]);
    expect(failures).toEqual([
      { zone: 'zone-a', zone_id: 'az1', capacity_type: 'on-demand', reason: 'LaunchFailed' },
      {
        zone: 'zone-a',
        zone_id: 'az1',
        capacity_type: 'on-demand',
        reason: 'InsufficientFreeAddressesInSubnet',
      },
    ]);
  });

  it('fails with insufficient capacity if that is the only kind of error, with each reason once', async () => {
    const errors = [
      errorIn('UnfulfillableCapacity', 'none'),
      errorIn('UnfulfillableCapacity', 'none', 'c5.large'),
    ];
    await expect(launch(launcher(async () => ({ Errors: errors })))).rejects.toMatchObject({
      code: 'insufficient-capacity',
      message: 'with fleet error(s), UnfulfillableCapacity: none',
      cause: { code: 'UnfulfillableCapacity', statusCode: 200 },
    });
  });

  it('fails with the reason if something else went wrong', async () => {
    const errors = [errorIn('UnfulfillableCapacity'), errorIn('UnauthorizedOperation')];
    await expect(launch(launcher(async () => ({ Errors: errors })))).rejects.toMatchObject({
      code: 'launch-failed',
      details: { reason: 'Unauthorized' },
    });
  });

  it('gives up spot altogether where its role cannot be made', async () => {
    const errors = [errorIn('AuthFailure.ServiceLinkedRoleCreationNotPermitted')];
    await expect(
      launch(
        launcher(async () => ({ Errors: errors })),
        'spot',
      ),
    ).rejects.toMatchObject({ code: 'insufficient-capacity' });
    expect(learnt).toEqual([['capacity type', 'spot']]);
  });

  it('targets a reservation, counts what it takes, and marks it as full when EC2 says so', async () => {
    const reservation = { id: 'cr-1', free: 2 };
    const reserved = [soldType('m5.large', { offerings: [{ as: 'reserved', price: 0, reservation }] })];
    const { instance } = await launch(
      launcher(async (input) => started(input)),
      'reserved',
      reserved,
    );
    expect(ensured[0]?.reservations?.target).toEqual({ id: 'cr-1', type: 'default', interruptible: false });
    expect(instance).toMatchObject({ capacityType: 'reserved', reservation: { id: 'cr-1' } });
    expect(learnt.splice(0)).toEqual([['launched', 'cr-1']]);
    const full = async () => ({ Errors: [errorIn('ReservationCapacityExceeded')] });
    await expect(launch(launcher(full), 'reserved', reserved)).rejects.toMatchObject({
      code: 'insufficient-capacity',
    });
    expect(learnt).toEqual([['reservation', 'cr-1']]);
  });

  it('is tried once more when its template has vanished', async () => {
    let calls = 0;
    const createFleet = async (input: CreateFleetCommandInput) => {
      calls += 1;
      if (calls === 1) throw new AwsRefusal('InvalidLaunchTemplateName.NotFoundException');
      return started(input);
    };
    await launch(launcher(createFleet));
    expect([calls, ensured.length, invalidated.length]).toEqual([2, 2, 1]);
    const gone = async () => {
      throw new AwsRefusal('InvalidLaunchTemplateName.NotFoundException');
    };
    await expect(launch(launcher(gone))).rejects.toMatchObject({
      details: {
        conditionMessage: expect.stringContaining('Launch templates not found when creating fleet request: '),
      },
    });
  });

  it('says what stood in its way', async () => {
    const refused = async () => {
      throw new AwsRefusal('InvalidParameterValue', 'iamInstanceProfile.name is invalid');
    };
    await expect(launch(launcher(refused))).rejects.toMatchObject({
      code: 'launch-failed',
      details: {
        reason: 'InstanceProfileNameInvalid',
        conditionMessage:
          'Error creating fleet request: Instance profile name used from EC2NodeClass status does not exist',
      },
    });
    const withoutSubnets = { ...nodeClass, status: { ...nodeClass.status, subnets: [] } };
    const request = {
      nodeClass: withoutSubnets,
      nodeClaim: nodeClaim(),
      batch,
      instanceTypes: types,
      tags: {},
    };
    await expect(launcher(refused).launch(request)).rejects.toMatchObject({
      message: 'getting subnets, no subnets matched selector',
      details: { reason: 'SubnetResolutionFailed', conditionMessage: 'Error getting subnets' },
    });
  });
});
