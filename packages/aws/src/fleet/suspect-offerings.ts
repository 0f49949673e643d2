import type { CreateFleetError } from '@aws-sdk/client-ec2';
import { type CapacityType, capacityTypes, labelKeys, type NodePool } from '@karpenter/core/api';
import type { Log } from '@karpenter/core/ports';
import { Requirements } from '@karpenter/core/requirements';
import { durationMsToNs, formatDuration, toNumber } from '@karpenter/core/values';
import { isOutOfCapacity } from '../aws-errors/index.ts';
import type { FleetResponse } from '../batching/index.ts';
import {
  type CatalogueRequirements,
  capacityOf,
  chosenOfferings,
  isCompatibleType,
  type LaunchableType,
} from '../launchable/index.ts';
import { launchTuning } from '../names/index.ts';
import type { OfferingName } from '../offerings/index.ts';
import type { UnavailableOfferingTracker } from './capacity-trackers.ts';
import type { LaunchRequirements } from './filters/index.ts';
import { readFleetError } from './fleet-errors.ts';
import type { ChosenTypes } from './type-choice.ts';

/** A launch, with what decides which other offerings are similar. */
export interface TriedLaunch {
  readonly chosen: ChosenTypes;
  readonly capacityType: CapacityType;
  readonly placementGroup?: string | undefined;
  /** The NodePool of the claim; undefined if it was deleted. */
  readonly nodePool: NodePool | undefined;
}

/**
 * The offerings that become suspect after a launch that requested many types and got no instance (ADR 0029): all of its
 * capacity type that the pods could use, including those of smaller instances than the requested ones.
 */
export function suspectOfferings(
  errors: readonly CreateFleetError[],
  { chosen, capacityType, placementGroup, nodePool }: TriedLaunch,
): readonly OfferingName[] {
  const { types, required } = chosen;
  const isWide =
    capacityType !== capacityTypes.reserved && types.length >= launchTuning.suspectMinInstanceTypes;
  if (!isWide || !isShortage(errors)) return [];
  const wanted = withoutClaimTypes(required, nodePool);
  return required.catalogue.types
    .filter((type) => isCompatibleType(type, wanted) && hasAllRequested(type, required))
    .flatMap((type) =>
      chosenOfferings(type, capacityType, wanted).map(({ zone, partition }) => ({
        instanceType: type.name,
        zone,
        capacityType,
        placementGroup,
        partition: placementGroup && partition,
      })),
    );
}

/** One error of another kind, and the failure is not evidence of a shortage. */
function isShortage(errors: readonly CreateFleetError[]): boolean {
  return errors.length > 0 && errors.every((error) => isOutOfCapacity(readFleetError(error).code));
}

/** A shortage of types with GPUs says nothing about types without. */
function hasAllRequested(type: LaunchableType, { requests }: LaunchRequirements): boolean {
  return Object.entries(requests).every(
    ([resource, amount]) => toNumber(amount) === 0 || capacityOf(type, resource) > 0,
  );
}

/**
 * The requirements of the claim without its list of types. That list holds the types that fit these pods together, and
 * the next plan may combine the pods differently. Requirements of the NodePool on types still apply.
 */
function withoutClaimTypes(
  { catalogue, requirements }: CatalogueRequirements,
  nodePool: NodePool | undefined,
): CatalogueRequirements {
  if (nodePool === undefined) return { catalogue, requirements };
  const { vocabulary } = catalogue;
  const named = nodePool.spec.template.spec.requirements.filter(({ key }) => key === labelKeys.instanceType);
  const ofPool = Requirements.fromItems(vocabulary, named);
  return {
    catalogue,
    requirements: requirements.without(vocabulary.key(labelKeys.instanceType)).and(ofPool),
  };
}

export interface SuspectOptions {
  readonly unavailableOfferings: Pick<UnavailableOfferingTracker, 'markSuspect'>;
  readonly log: Log;
}

/** Marks offerings similar to those of failed fleet requests as suspect, so that the next plan avoids them. */
export class SuspectOfferings {
  readonly #options: SuspectOptions;
  /** Launches that shared a request get the same errors, but may have had different types to choose from. */
  readonly #handled = new WeakMap<readonly CreateFleetError[], Set<ChosenTypes>>();

  constructor(options: SuspectOptions) {
    this.#options = options;
  }

  note(
    { Errors: errors = [], Instances: instances = [], FleetId: fleetId }: FleetResponse,
    launch: TriedLaunch,
  ) {
    if (instances.length > 0 || !this.#isNew(errors, launch.chosen)) return;
    const offerings = suspectOfferings(errors, launch);
    if (offerings.length === 0) return;
    const { unavailableOfferings, log } = this.#options;
    const ttl = unavailableOfferings.markSuspect(offerings);
    log.info(
      'no capacity in any requested offering, using similar offerings only if no others are available',
      {
        reason: [...new Set(errors.map((error) => readFleetError(error).code))].join(', '),
        'capacity-type': launch.capacityType,
        'instance-types-requested': launch.chosen.types.length,
        'instance-types-suspect': new Set(offerings.map(({ instanceType }) => instanceType)).size,
        ttl: formatDuration(durationMsToNs(ttl)),
        ...(fleetId !== undefined && { 'fleet-id': fleetId }),
      },
    );
  }

  #isNew(errors: readonly CreateFleetError[], chosen: ChosenTypes): boolean {
    const handled = this.#handled.get(errors) ?? new Set();
    this.#handled.set(errors, handled);
    const isNew = !handled.has(chosen);
    handled.add(chosen);
    return isNew;
  }
}
