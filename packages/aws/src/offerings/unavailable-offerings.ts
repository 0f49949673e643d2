import type { CapacityType } from '@karpenter/core/api';
import type { Log } from '@karpenter/core/ports';
import { type DurationMs, durationMsToNs, formatDuration } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import { unavailableBackoff } from '../names/index.ts';
import { type Backoff, ExpiringMarks } from './expiring-marks.ts';

/** Identifies an offering, optionally within a placement group or partition. */
export interface OfferingName {
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: CapacityType;
  readonly placementGroup?: string | undefined;
  readonly partition?: string | undefined;
}

/** An offering for which EC2 had no capacity, with fields for the log. */
export interface UnavailableOffering extends OfferingName {
  /** EC2's error code or another cause. */
  readonly reason: string;
  readonly fleetId?: string | undefined;
}

export interface UnavailableOptions {
  readonly now: () => Instant;
  readonly log?: Log;
  readonly backoff?: Backoff;
}

/**
 * Offerings for which EC2 had no capacity lately: Karpenter's ICE cache, with backoff. It has three layers:
 * single offerings (by type, zone and capacity type, optionally within a placement group or partition), whole
 * capacity types, and subnets without free addresses. It also has suspect offerings: none was tried, but
 * launches of many similar ones failed (ADR 0029).
 */
export class UnavailableOfferings {
  readonly #offerings: ExpiringMarks;
  readonly #capacityTypes: ExpiringMarks;
  readonly #subnets: ExpiringMarks;
  readonly #suspects: ExpiringMarks;
  readonly #suspectLifetime: DurationMs;
  readonly #log: Log | undefined;
  readonly #changesByType = new Map<string, number>();
  #changesOfAll = 0;
  #version = 0;

  constructor({ now, log, backoff = unavailableBackoff }: UnavailableOptions) {
    this.#log = log;
    this.#offerings = new ExpiringMarks({ now, backoff, onChange: (key) => this.#typeChanged(key) });
    // No backoff for the wider layers: they say nothing about a single offering.
    const noBackoff = { ...backoff, longest: backoff.first };
    const wide = { now, backoff: noBackoff, onChange: () => this.#allChanged() };
    this.#capacityTypes = new ExpiringMarks(wide);
    this.#subnets = new ExpiringMarks(wide);
    this.#suspects = new ExpiringMarks({ ...wide, onChange: (key) => this.#typeChanged(key) });
    this.#suspectLifetime = noBackoff.first;
  }

  markUnavailable(shortage: UnavailableOffering): void {
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

  /** Marks offerings as suspect, always for the lifetime of a first shortage. Returns that lifetime. */
  markSuspect(offerings: readonly OfferingName[]): DurationMs {
    for (const offering of offerings) this.#suspects.mark(keyOf(offering));
    return this.#suspectLifetime;
  }

  /**
   * Resets the backoff of an offering after a successful launch. If the offering was suspect, clears all
   * suspects of its capacity type, because the shortage evidently is not as wide as assumed.
   */
  markLaunched(offering: OfferingName): void {
    for (const key of scopesOf(offering)) this.#offerings.resetFailures(key);
    if (this.isSuspect(offering)) this.#suspects.drop((key) => key.startsWith(`${offering.capacityType}:`));
  }

  isUnavailable(offering: OfferingName): boolean {
    return (
      this.#capacityTypes.has(offering.capacityType) ||
      scopesOf(offering).some((key) => this.#offerings.has(key))
    );
  }

  isSuspect(offering: OfferingName): boolean {
    return scopesOf(offering).some((key) => this.#suspects.has(key));
  }

  /** Whether every one of the subnets lacks addresses. False for no subnets. */
  areExhausted(subnetIds: readonly string[]): boolean {
    return subnetIds.length > 0 && subnetIds.every((id) => this.#subnets.has(id));
  }

  /** Increases when the availability of a type's offerings changes, including when marks expire. */
  sequence(instanceType: string): number {
    this.#sweep();
    return this.#changesOfAll + (this.#changesByType.get(instanceType) ?? 0);
  }

  /** Like `sequence`, over all types. */
  get version(): number {
    this.#sweep();
    return this.#version;
  }

  #sweep(): void {
    this.#offerings.sweep();
    this.#capacityTypes.sweep();
    this.#subnets.sweep();
    this.#suspects.sweep();
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

/** The order of the parts matters: `#typeChanged` reads the second, and `markLaunched` matches the first. */
function keyOf({ capacityType, instanceType, zone, placementGroup, partition }: OfferingName): string {
  const parts = [capacityType, instanceType, zone, placementGroup, placementGroup && partition];
  return parts.filter((part) => part !== undefined).join(':');
}

/**
 * Keys that cover an offering: a shortage outside any group
 * applies within groups, one of a group in its partitions.
 */
function scopesOf(offering: OfferingName): readonly string[] {
  const everywhere = { ...offering, placementGroup: undefined, partition: undefined };
  if (offering.placementGroup === undefined) return [keyOf(everywhere)];
  const inGroup = { ...offering, partition: undefined };
  const scopes = [keyOf(everywhere), keyOf(inGroup)];
  return offering.partition === undefined ? scopes : [...scopes, keyOf(offering)];
}
