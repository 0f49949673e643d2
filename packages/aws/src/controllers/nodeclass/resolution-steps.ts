import { CodedError } from '@karpenter/core/errors';
import type { DurationMs } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';
import { type CapacityReservationProvider, untilNextReconcile } from '../../capacity-reservations/index.ts';
import type { ImageProvider } from '../../images/index.ts';
import type { InstanceProfileProvider } from '../../instance-profiles/index.ts';
import { ec2NodeClassConditions, ec2NodeClassReasons, nodeClassPeriods } from '../../names/index.ts';
import type { SecurityGroupProvider, SubnetProvider } from '../../network/index.ts';
import type { EC2NodeClass } from '../../node-class/index.ts';
import type { PlacementGroupProvider } from '../../placement-groups/index.ts';
import type { Resolution } from '../../resolution/index.ts';
import type { StatusStep, StepCondition } from './status-step.ts';

/** The providers that resolve an EC2NodeClass. */
interface Resolvers {
  readonly images: Pick<ImageProvider, 'resolve'>;
  readonly subnets: Pick<SubnetProvider, 'resolve'>;
  readonly securityGroups: Pick<SecurityGroupProvider, 'resolve'>;
  readonly reservations: Pick<CapacityReservationProvider, 'resolve'>;
  readonly placementGroups: Pick<PlacementGroupProvider, 'resolve'>;
  readonly profiles: Pick<InstanceProfileProvider, 'resolve'>;
}

export interface ResolutionOptions {
  readonly resolvers: Resolvers;
  /** Whether the ReservedCapacity gate is on. */
  readonly reservedCapacity: boolean;
  readonly clock: Pick<Clock, 'now'>;
}

/** All steps except validation, in the order in which their outcomes are applied. */
export function resolutionSteps(options: ResolutionOptions): readonly StatusStep[] {
  const { resolvers, reservedCapacity } = options;
  return [
    imageStep(resolvers),
    ...(reservedCapacity ? [reservationStep(options)] : []),
    placementGroupStep(resolvers),
    subnetStep(resolvers),
    securityGroupStep(resolvers),
    instanceProfileStep(resolvers),
  ];
}

function conditionOf(type: StepCondition['type'], resolution: Resolution<readonly unknown[]>): StepCondition {
  return resolution.found === undefined
    ? { type, status: 'False', ...resolution.failure }
    : { type, status: 'True' };
}

function periodOf(resolution: Resolution<readonly unknown[]>, whenFound: DurationMs): DurationMs {
  return resolution.found === undefined ? nodeClassPeriods.nothingFound : whenFound;
}

function imageStep({ images }: Resolvers): StatusStep {
  return async (nodeClass) => {
    const resolution = await images.resolve(nodeClass);
    const condition = conditionOf(ec2NodeClassConditions.amisReady, resolution);
    // Keep the AMIs of an alias that is no longer supported:
    // drift detection of existing nodes compares with them.
    const isUnsupported = condition.reason === ec2NodeClassReasons.unsupportedAlias.reason;
    return {
      status: isUnsupported ? {} : { amis: copied(resolution.found) },
      condition,
      requeueAfter: periodOf(resolution, nodeClassPeriods.images),
    };
  };
}

function subnetStep({ subnets }: Resolvers): StatusStep {
  return async (nodeClass) => {
    const resolution = await subnets.resolve(nodeClass);
    return {
      status: { subnets: copied(resolution.found) },
      condition: conditionOf(ec2NodeClassConditions.subnetsReady, resolution),
      requeueAfter: periodOf(resolution, nodeClassPeriods.subnets),
    };
  };
}

function securityGroupStep({ securityGroups }: Resolvers): StatusStep {
  return async (nodeClass) => {
    const resolution = await securityGroups.resolve(nodeClass);
    return {
      status: { securityGroups: copied(resolution.found) },
      condition: conditionOf(ec2NodeClassConditions.securityGroupsReady, resolution),
      requeueAfter: periodOf(resolution, nodeClassPeriods.securityGroups),
    };
  };
}

/** The condition is always True: a class without matching reservations works without them. */
function reservationStep({ resolvers: { reservations }, clock }: ResolutionOptions): StatusStep {
  return async ({ spec }) => {
    const found = await reservations.resolve(spec.capacityReservationSelectorTerms ?? []);
    return {
      status: { capacityReservations: found.length === 0 ? undefined : [...found] },
      condition: { type: ec2NodeClassConditions.capacityReservationsReady, status: 'True' },
      requeueAfter: untilNextReconcile(found, clock.now()),
    };
  };
}

function placementGroupStep({ placementGroups }: Resolvers): StatusStep {
  const type = ec2NodeClassConditions.placementGroupReady;
  return async ({ spec }) => {
    if (spec.placementGroupSelector === undefined) return { condition: { type, status: 'True' } };
    const { failure, cause } = await placementGroups.resolve(spec.placementGroupSelector);
    if (failure === undefined) return { condition: { type, status: 'True' } };
    const condition = { type, status: 'False', ...failure } as const;
    return cause === undefined ? { condition } : { condition, error: cause };
  };
}

/**
 * Throws instead of setting the condition False, so that errors,
 * mostly missing IAM permissions, appear in the log only.
 */
function instanceProfileStep({ profiles }: Resolvers): StatusStep {
  return async (nodeClass) => {
    const { role = '', instanceProfile = '' } = nodeClass.spec;
    if (role === '' && instanceProfile === '') throw withoutIdentity(nodeClass);
    return {
      status: { instanceProfile: await profiles.resolve(nodeClass) },
      condition: { type: ec2NodeClassConditions.instanceProfileReady, status: 'True' },
    };
  };
}

function withoutIdentity({ metadata: { name } }: EC2NodeClass): CodedError {
  return new CodedError(
    'unresolved-node-class',
    `cannot find an instance profile for EC2NodeClass ${name}: it names neither a role nor an instance profile; set spec.role or spec.instanceProfile`,
    { details: { nodeClass: name } },
  );
}

function copied<T>(found: readonly T[] | undefined): T[] | undefined {
  return found === undefined ? undefined : [...found];
}
