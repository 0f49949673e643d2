import type { CapacityType } from '@karpenter/core/api';
import type { Log } from '@karpenter/core/ports';
import { type DurationMs, durationMsToNs, formatDuration } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import { unavailableBackoff } from '../names/index.ts';
import { type Backoff, ExpiringMarks } from './expiring-marks.ts';

/** An offering, or the part of it that lies in one placement group or partition. */
export interface OfferingName {
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: CapacityType;
  readonly placementGroup?: string | undefined;
  readonly partition?: string | undefined;
}

/** Why an offering is left alone for a while, as it is logged. */
export interface Shortage extends OfferingName {
  /** The code that EC2 answered with, or what else happened. */
  readonly reason: string;
  readonly fleetId?: string | undefined;
}

export interface UnavailableOptions {
  readonly now: () => Instant;
  readonly log?: Log;
  readonly backoff?: Backoff;
}

/**
 * What EC2 could not deliver lately. Three layers: single offerings (by type, zone and capacity type, perhaps
 * within a placement group or partition), a whole capacity type, and subnets without free addresses. Beside them
 * stand doubts: offerings that nobody has asked for, but many that are like them.
 */
export class UnavailableOfferings {
  readonly #offerings: ExpiringMarks;
  readonly #capacityTypes: ExpiringMarks;
  readonly #subnets: ExpiringMarks;
  readonly #doubts: ExpiringMarks;
  readonly #suspectLifetime: DurationMs;
  readonly #log: Log | undefined;
  readonly #changesByType = new Map<string, number>();
  #changesOfAll = 0;
  #version = 0;

  constructor({ now, log, backoff = unavailableBackoff }: UnavailableOptions) {
    this.#log = log;
    this.#offerings = new ExpiringMarks({ now, backoff, onChange: (key) => this.#typeChanged(key) });
    const everyTime = { ...backoff, longest: backoff.first };
    const wide = { now, backoff: everyTime, onChange: () => this.#allChanged() };
    this.#capacityTypes = new ExpiringMarks(wide);
    this.#subnets = new ExpiringMarks(wide);
    this.#doubts = new ExpiringMarks({ ...wide, onChange: (key) => this.#typeChanged(key) });
    this.#suspectLifetime = everyTime.first;
  }

  markUnavailable(shortage: Shortage): void {
    const ttl = this.#offerings.mark(keyOf(shortage));
    this.#log?.debug('removing offering from offerings', {
      reason: shortage.reason,
      'instance-type': shortage.instanceType,
      zone: shortage.zone,
      'capacity-type': shortage.capacityType,
      ttl: formatDuration(durationMsToNs(ttl)),
      ...(shortage.fleetId !== undefined && { 'fleet-id': shortage.fleetId }),
      ...(shortage.placementGroup !== undefined && { 'placement-group-id': shortage.placementGroup }),
    });
  }

  markCapacityTypeUnavailable(capacityType: CapacityType): void {
    this.#capacityTypes.mark(capacityType);
  }

  markSubnetUnavailable(subnetId: string): void {
    this.#subnets.mark(subnetId);
  }

  /** Never for longer than the first shortage of an offering, however often; answers with how long. */
  doubt(offerings: readonly OfferingName[]): DurationMs {
    for (const offering of offerings) this.#doubts.mark(keyOf(offering));
    return this.#suspectLifetime;
  }

  /**
   * An instance was launched there: should it fail again, it starts from the beginning. If it was doubted, so is
   * the rest of its capacity type no longer.
   */
  markLaunched(offering: OfferingName): void {
    for (const key of scopesOf(offering)) this.#offerings.forgive(key);
    if (this.isDoubted(offering)) this.#doubts.drop((key) => key.startsWith(`${offering.capacityType}:`));
  }

  isUnavailable(offering: OfferingName): boolean {
    return (
      this.#capacityTypes.has(offering.capacityType) ||
      scopesOf(offering).some((key) => this.#offerings.has(key))
    );
  }

  isDoubted(offering: OfferingName): boolean {
    return scopesOf(offering).some((key) => this.#doubts.has(key));
  }

  /** A zone is out of addresses only if every subnet there is; one without subnets is not. */
  areExhausted(subnetIds: readonly string[]): boolean {
    return subnetIds.length > 0 && subnetIds.every((id) => this.#subnets.has(id));
  }

  /** Another number each time that something about the offerings of the type may have changed, also by time. */
  sequence(instanceType: string): number {
    this.#sweep();
    return this.#changesOfAll + (this.#changesByType.get(instanceType) ?? 0);
  }

  /** As `sequence`, for all types together. */
  get version(): number {
    this.#sweep();
    return this.#version;
  }

  #sweep(): void {
    this.#offerings.sweep();
    this.#capacityTypes.sweep();
    this.#subnets.sweep();
    this.#doubts.sweep();
  }

  #typeChanged(key: string): void {
    const [, type = ''] = key.split(':');
    this.#version += 1;
    this.#changesByType.set(type, (this.#changesByType.get(type) ?? 0) + 1);
  }

  #allChanged(): void {
    this.#version += 1;
    this.#changesOfAll += 1;
  }
}

function keyOf({ capacityType, instanceType, zone, placementGroup, partition }: OfferingName): string {
  const parts = [capacityType, instanceType, zone, placementGroup, placementGroup && partition];
  return parts.filter((part) => part !== undefined).join(':');
}

/** A shortage outside of any group holds inside too, one of a group in each of its partitions. */
function scopesOf(offering: OfferingName): readonly string[] {
  const everywhere = { ...offering, placementGroup: undefined, partition: undefined };
  if (offering.placementGroup === undefined) return [keyOf(everywhere)];
  const inGroup = { ...offering, partition: undefined };
  const scopes = [keyOf(everywhere), keyOf(inGroup)];
  return offering.partition === undefined ? scopes : [...scopes, keyOf(offering)];
}
