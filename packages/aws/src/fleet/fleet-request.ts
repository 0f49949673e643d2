import type {
  CreateFleetCommandInput,
  FleetLaunchTemplateConfigRequest,
  FleetLaunchTemplateOverridesRequest,
} from '@aws-sdk/client-ec2';
import { annotationKeys, type CapacityType, capacityTypes, type NodeClaim } from '@karpenter/core/api';
import { insufficientCapacity } from '@karpenter/core/ports';
import { ObjectCache } from '../caching/index.ts';
import { type PlannedTemplate, withoutUndefined } from '../launch-templates/index.ts';
import { chosenOfferings, type LaunchableOffering, type LaunchableType } from '../launchable/index.ts';
import type { SubnetStatus } from '../node-class/index.ts';
import { ec2Tags } from '../tags/index.ts';
import type { LaunchRequirements } from './filters/index.ts';

/** A launch template that exists in EC2, with the types that may use it. */
export interface NamedTemplate extends PlannedTemplate {
  readonly name: string;
}

export interface FleetFacts {
  readonly capacityType: CapacityType;
  readonly templates: readonly NamedTemplate[];
  readonly subnets: ReadonlyMap<string, SubnetStatus>;
  readonly required: LaunchRequirements;
  readonly tags: Readonly<Record<string, string>>;
  /** `spec.context` of the class. */
  readonly context?: string | undefined;
  readonly annotations?: NodeClaim['metadata']['annotations'] | undefined;
}

/** Purchase options that need different fleet requests. */
type Purchase = 'spot' | 'on-demand' | 'capacity-block' | 'interruptible';

/**
 * Builds the request for one instance. Claims with equal requirements give equal requests, which are batched; so
 * nothing in it, tags included, may depend on the single claim.
 */
export function fleetRequest(facts: FleetFacts): CreateFleetCommandInput {
  const configs = facts.templates
    .map((template) => templateConfig(template, facts))
    .filter(({ Overrides = [] }) => Overrides.length > 0);
  if (configs.length === 0) {
    throw insufficientCapacity('no capacity offerings are currently available given the constraints');
  }
  const tags = ec2Tags(facts.tags);
  return withoutUndefined({
    Type: 'instant' as const,
    Context: contextOf(facts),
    LaunchTemplateConfigs: configs,
    ...purchaseOptions(facts),
    TagSpecifications: (['instance', 'volume', 'fleet'] as const).map((type) => ({
      ResourceType: type,
      Tags: tags,
    })),
  });
}

/** Karpenter omits the context if the minValues of the claim were relaxed. */
function contextOf({ context, annotations }: FleetFacts): string | undefined {
  return annotations?.[annotationKeys.minValuesRelaxed] === 'true' ? undefined : context;
}

function purchaseOf({ capacityType, templates }: FleetFacts): Purchase {
  if (capacityType === capacityTypes.spot) return 'spot';
  // The first stands for all: capacity-reservation-type-filter keeps one kind of reservation per launch.
  const target = templates[0]?.options.reservations?.target;
  if (target?.interruptible === true) return 'interruptible';
  return target?.type === 'capacity-block' ? 'capacity-block' : 'on-demand';
}

type PurchaseOptions = Pick<
  CreateFleetCommandInput,
  'TargetCapacitySpecification' | 'SpotOptions' | 'OnDemandOptions' | 'ReservedCapacityOptions'
>;

/**
 * EC2 does not know the prices of NodeOverlays. With such prices the allocation strategy follows the priorities of the
 * overrides, which are our prices, instead of EC2's.
 */
function purchaseOptions(facts: FleetFacts): PurchaseOptions {
  const isOverlaid = facts.annotations?.[annotationKeys.priceOverlayApplied] !== undefined;
  const options: Readonly<Record<Purchase, PurchaseOptions>> = {
    spot: {
      TargetCapacitySpecification: { DefaultTargetCapacityType: 'spot', TotalTargetCapacity: 1 },
      SpotOptions: {
        AllocationStrategy: isOverlaid ? 'capacity-optimized-prioritized' : 'price-capacity-optimized',
      },
    },
    'on-demand': {
      TargetCapacitySpecification: { DefaultTargetCapacityType: 'on-demand', TotalTargetCapacity: 1 },
      OnDemandOptions: { AllocationStrategy: isOverlaid ? 'prioritized' : 'lowest-price' },
    },
    // No strategy: capacity-block-filter leaves a single block to choose from.
    'capacity-block': {
      TargetCapacitySpecification: { DefaultTargetCapacityType: 'capacity-block', TotalTargetCapacity: 1 },
    },
    interruptible: {
      TargetCapacitySpecification: { DefaultTargetCapacityType: 'reserved-capacity', TotalTargetCapacity: 1 },
      ReservedCapacityOptions: { ReservationTypes: ['interruptible-capacity-reservation'] },
    },
  };
  return options[purchaseOf(facts)];
}

function templateConfig(template: NamedTemplate, facts: FleetFacts): FleetLaunchTemplateConfigRequest {
  return {
    // A template never gets a second version: its name is a hash of its content.
    LaunchTemplateSpecification: { LaunchTemplateName: template.name, Version: '$Latest' },
    Overrides: overridesOf(template, facts),
  };
}

const overridesByTypes = new ObjectCache<readonly LaunchableType[], FleetLaunchTemplateOverridesRequest[]>();

/**
 * Equal launches share one list of overrides, which has hundreds of entries. The batcher caches the digest of a list by
 * this object (ADR 0022).
 */
function overridesOf(template: NamedTemplate, facts: FleetFacts): FleetLaunchTemplateOverridesRequest[] {
  const { imageId, reservations } = template.options;
  const { capacityType, required, subnets } = facts;
  const chosenSubnets = [...subnets].flatMap(([zone, { id }]) => [zone, id]);
  const inputs = [imageId, reservations?.target?.id, capacityType, required.requirements, ...chosenSubnets];
  return overridesByTypes.get(template.types, inputs, () =>
    template.types.flatMap((type) => overridesFor(type, template, facts)),
  );
}

function overridesFor(
  type: LaunchableType,
  { options }: NamedTemplate,
  { capacityType, subnets, required }: FleetFacts,
): FleetLaunchTemplateOverridesRequest[] {
  const target = options.reservations?.target;
  const byZone = new Map<string, LaunchableOffering>();
  for (const offering of chosenOfferings(type, capacityType, required)) {
    const isOfTemplate = target === undefined || offering.reservation?.id === target.id;
    // Each partition of a placement group is a separate offering in the same zone; one override covers them.
    if (isOfTemplate && !byZone.has(offering.zone)) byZone.set(offering.zone, offering);
  }
  return [...byZone].flatMap(([zone, { price }]) => {
    const subnet = subnets.get(zone);
    return subnet === undefined
      ? []
      : [override({ type: type.name, subnet, imageId: options.imageId, price })];
  });
}

interface OverrideFields {
  readonly type: string;
  readonly subnet: SubnetStatus;
  readonly imageId: string;
  readonly price: number;
}

function override({
  type,
  subnet: { id, zone },
  imageId,
  price,
}: OverrideFields): FleetLaunchTemplateOverridesRequest {
  return {
    // The SDK's union has only the types of its release; EC2 adds types continuously.
    InstanceType: type as NonNullable<FleetLaunchTemplateOverridesRequest['InstanceType']>,
    SubnetId: id,
    ImageId: imageId,
    AvailabilityZone: zone,
    // Always sent, as in Karpenter, although EC2 reads it with the prioritized strategies only.
    Priority: price,
  };
}
