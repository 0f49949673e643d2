import type { CreateFleetError } from '@aws-sdk/client-ec2';
import { type CapacityType, capacityTypes, labelKeys, type NodePool } from '@karpenter/core/api';
import type { Log } from '@karpenter/core/ports';
import { Requirements } from '@karpenter/core/requirements';
import { durationMsToNs, formatDuration, toNumber } from '@karpenter/core/values';
import { isOutOfCapacity } from '../aws-errors/index.ts';
import type { FleetAnswer } from '../batching/index.ts';
import {
  type CatalogueRequirements,
  capacityOf,
  chosenOfferings,
  isCompatibleType,
  type LaunchableType,
} from '../launchable/index.ts';
import { launchTuning } from '../names/index.ts';
import type { OfferingName } from '../offerings/index.ts';
import type { LaunchRequirements } from './filters/index.ts';
import { readFleetError } from './fleet-errors.ts';
import type { ShortageTracker } from './shortages.ts';
import type { ChosenTypes } from './type-choice.ts';

/** What a failed launch says about other offerings. */
export interface TriedLaunch {
  readonly chosen: ChosenTypes;
  readonly capacityType: CapacityType;
  readonly placementGroup?: string | undefined;
  /** Where the claim comes from; undefined if it is gone. */
  readonly nodePool: NodePool | undefined;
}

/**
 * Offerings that are suspect after a launch that asked for many types and got none: all of its capacity type that the
 * pods could have used as well, even on smaller instances than these.
 */
export function suspectOfferings(
  errors: readonly CreateFleetError[],
  { chosen, capacityType, placementGroup, nodePool }: TriedLaunch,
): readonly OfferingName[] {
  const { types, required } = chosen;
  const isTelling =
    capacityType !== capacityTypes.reserved && types.length >= launchTuning.tellingInstanceTypes;
  if (!isTelling || !isShortage(errors)) return [];
  const wanted = wantedOfAnySize(required, nodePool);
  return required.catalogue.types
    .filter((type) => isCompatibleType(type, wanted) && hasSomeOfAll(type, required))
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

function isShortage(errors: readonly CreateFleetError[]): boolean {
  return errors.length > 0 && errors.every((error) => isOutOfCapacity(readFleetError(error).code));
}

/** Where GPUs are short, nothing is said of instances without. */
function hasSomeOfAll(type: LaunchableType, { requests }: LaunchRequirements): boolean {
  return Object.entries(requests).every(
    ([resource, amount]) => toNumber(amount) === 0 || capacityOf(type, resource) > 0,
  );
}

/**
 * What the claim asks for, but for its list of types: that is what the planner found for these pods together, and
 * next time it may put them together otherwise. What the pool says of types still holds.
 */
function wantedOfAnySize(
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
  readonly shortages: Pick<ShortageTracker, 'markSuspect'>;
  readonly log: Log;
}

/** Marks offerings as suspect that are like those which fleets could not deliver, so that the next plan avoids them. */
export class SuspectOfferings {
  readonly #options: SuspectOptions;
  /** All launches that shared a request get the same errors, but they may have asked for different types. */
  readonly #noted = new WeakMap<readonly CreateFleetError[], Set<ChosenTypes>>();

  constructor(options: SuspectOptions) {
    this.#options = options;
  }

  note(
    { Errors: errors = [], Instances: instances = [], FleetId: fleetId }: FleetAnswer,
    launch: TriedLaunch,
  ) {
    if (instances.length > 0 || !this.#isNews(errors, launch.chosen)) return;
    const offerings = suspectOfferings(errors, launch);
    if (offerings.length === 0) return;
    const { shortages, log } = this.#options;
    const ttl = shortages.markSuspect(offerings);
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

  #isNews(errors: readonly CreateFleetError[], chosen: ChosenTypes): boolean {
    const noted = this.#noted.get(errors) ?? new Set();
    this.#noted.set(errors, noted);
    const isNews = !noted.has(chosen);
    noted.add(chosen);
    return isNews;
  }
}
