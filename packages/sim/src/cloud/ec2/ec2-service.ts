import type { Ec2 } from '@karpenter/aws/ports';
import type { Clock } from '@karpenter/kube/runtime';
import type { Chance } from '../../objects/chance.ts';
import {
  fleetAccess,
  runAccess,
  taggingAccess,
  templateCreationAccess,
  templateDeletionAccess,
  terminationAccess,
} from '../access/index.ts';
import type { ApiFamily } from '../calls/api-families.ts';
import type { Gateway } from '../calls/gateway.ts';
import type { CapacityPools } from '../capacity/capacity-pools.ts';
import type { SimulatedSpotPrices } from '../capacity/spot-prices.ts';
import type { FaultBoard } from '../faults/fault-board.ts';
import type { CloudWorld } from '../world/world.ts';
import { Fleets } from './fleets.ts';
import { InstanceCalls } from './instance-calls.ts';
import type { InstanceLifecycle } from './instance-lifecycle.ts';
import type { LaunchTemplates } from './launch-templates.ts';
import type { RecentAnswers } from './recent-answers.ts';
import { ResourceCalls } from './resource-calls.ts';
import type { OutputOf } from './shapes.ts';
import { createTags } from './tagging.ts';
import { TypeCalls } from './type-calls.ts';

export interface Ec2ServiceOptions {
  readonly gateway: Gateway;
  readonly world: CloudWorld;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly faults: FaultBoard;
  readonly pools: CapacityPools;
  readonly prices: SimulatedSpotPrices;
  readonly lifecycle: InstanceLifecycle;
  readonly templates: LaunchTemplates;
  readonly fleetAnswers: RecentAnswers<OutputOf<'createFleet'>>;
  readonly runAnswers: RecentAnswers<OutputOf<'runInstances'>>;
}

/** The EC2 calls of the port, each behind the gateway, which applies throttling and faults. */
export function ec2Service(options: Ec2ServiceOptions): Ec2 {
  const { gateway, world, clock, templates } = options;
  const call = (operation: string, family: ApiFamily = 'ec2:describe') => ({
    service: 'EC2',
    operation,
    family,
    action: `ec2:${operation}`,
  });
  const instances = new InstanceCalls(options);
  const types = new TypeCalls(options);
  const resources = new ResourceCalls(world, clock);
  return {
    ...launchCalls(options, call),
    createLaunchTemplate: gateway.operation(
      call('CreateLaunchTemplate', 'ec2:mutate'),
      (input, { token }) => templates.create(input, token),
      (input) => templateCreationAccess(world, input),
    ),
    deleteLaunchTemplate: gateway.operation(
      call('DeleteLaunchTemplate', 'ec2:mutate'),
      (input) => templates.delete(input),
      (input) => templateDeletionAccess(world, input),
    ),
    describeLaunchTemplates: gateway.operation(call('DescribeLaunchTemplates'), (input) =>
      templates.describe(input),
    ),
    describeLaunchTemplateVersions: gateway.operation(call('DescribeLaunchTemplateVersions'), (input) =>
      templates.describeVersions(input),
    ),
    createTags: gateway.operation(
      call('CreateTags', 'ec2:tags'),
      (input) => createTags(world, input, clock.now()),
      (input) => taggingAccess(world, input),
    ),
    describeInstances: gateway.operation(call('DescribeInstances'), (input) => instances.describe(input)),
    describeInstanceStatus: gateway.operation(call('DescribeInstanceStatus'), (input) =>
      instances.describeStatus(input),
    ),
    terminateInstances: gateway.operation(
      call('TerminateInstances', 'ec2:terminate'),
      (input) => instances.terminate(input),
      (input) => terminationAccess(world, input),
    ),
    describeInstanceTypes: gateway.operation(call('DescribeInstanceTypes'), (input) =>
      types.describeTypes(input),
    ),
    describeInstanceTypeOfferings: gateway.operation(call('DescribeInstanceTypeOfferings'), (input) =>
      types.describeOfferings(input),
    ),
    describeSpotPriceHistory: gateway.operation(call('DescribeSpotPriceHistory'), (input) =>
      types.describeSpotPrices(input),
    ),
    describeAvailabilityZones: gateway.operation(call('DescribeAvailabilityZones'), (input) =>
      resources.describeZones(input),
    ),
    describeSubnets: gateway.operation(call('DescribeSubnets'), (input) => resources.describeSubnets(input)),
    describeSecurityGroups: gateway.operation(call('DescribeSecurityGroups'), (input) =>
      resources.describeSecurityGroups(input),
    ),
    describeImages: gateway.operation(call('DescribeImages'), (input) => resources.describeImages(input)),
    describePlacementGroups: gateway.operation(call('DescribePlacementGroups'), (input) =>
      resources.describePlacementGroups(input),
    ),
    describeCapacityReservations: gateway.operation(call('DescribeCapacityReservations'), (input) =>
      resources.describeCapacityReservations(input),
    ),
  };
}

/**
 * The calls that launch instances. Each client token launches once, so that a retry after a lost reply does
 * not launch again.
 */
function launchCalls(
  options: Ec2ServiceOptions,
  call: (operation: string, family: ApiFamily) => Parameters<Gateway['operation']>[0],
): Pick<Ec2, 'createFleet' | 'runInstances'> {
  const { gateway, world, fleetAnswers, runAnswers } = options;
  const instances = new InstanceCalls(options);
  const fleets = new Fleets(options);
  return {
    createFleet: gateway.operation(
      call('CreateFleet', 'ec2:fleet'),
      (input, { token }) => fleetAnswers.once(input.ClientToken ?? token, input, () => fleets.create(input)),
      (input) => fleetAccess(world, input),
    ),
    runInstances: gateway.operation(
      call('RunInstances', 'ec2:fleet'),
      (input, { token }) =>
        runAnswers.once(input.ClientToken ?? token, input, () => instances.run(input, token)),
      (input) => runAccess(world, input),
    ),
  };
}
