import { capacityTypes } from '@karpenter/core/api';
import type { Instant } from '@karpenter/kube/runtime';
import type { FleetResponse } from '../batching/index.ts';
import type { Ec2Instance } from '../instances/index.ts';
import { type LaunchFacts, requestedPartition } from '../launch-templates/index.ts';
import { chosenOfferings, type ReservationOffer } from '../launchable/index.ts';
import { awsResources } from '../names/index.ts';
import type { SubnetStatus } from '../node-class/index.ts';
import type { ChosenTypes } from './type-choice.ts';

export interface LaunchedFacts {
  readonly chosen: ChosenTypes;
  readonly facts: LaunchFacts;
  readonly subnets: ReadonlyMap<string, SubnetStatus>;
  readonly now: Instant;
}

/**
 * The launched instance, from the response and the request, without a DescribeInstances call: EC2 may not describe it
 * yet. Returns undefined if nothing was launched.
 */
export function launchedInstance(response: FleetResponse, launch: LaunchedFacts): Ec2Instance | undefined {
  const [launched] = response.Instances ?? [];
  const [id] = launched?.InstanceIds ?? [];
  if (launched === undefined || id === undefined) return undefined;
  const overrides = launched.LaunchTemplateAndOverrides?.Overrides;
  const type = launched.InstanceType ?? overrides?.InstanceType ?? '';
  const subnetId = overrides?.SubnetId;
  const subnet = [...launch.subnets.values()].find((one) => one.id === subnetId);
  const zone = overrides?.AvailabilityZone ?? subnet?.zone ?? '';
  const { facts, chosen } = launch;
  return {
    id,
    type,
    state: 'pending',
    launchTime: launch.now,
    imageId: overrides?.ImageId ?? '',
    zone,
    zoneId: subnet?.zoneID ?? launch.subnets.get(zone)?.zoneID,
    capacityType: facts.capacityType,
    tenancy: facts.tenancy,
    subnetId: subnetId ?? launch.subnets.get(zone)?.id,
    securityGroupIds: (facts.nodeClass.status?.securityGroups ?? []).map((group) => group.id),
    tags: facts.tags,
    // The number does not matter here: claim fields distinguish instances with and without EFA only.
    efaCount: hasEfa(facts) ? 1 : 0,
    reservation:
      facts.capacityType === capacityTypes.reserved ? reservationIn(chosen, type, zone) : undefined,
    placementGroupId: facts.placementGroupId,
    // As in the template, so that the label of the claim names the same partition (ADR 0022).
    partition: facts.placementGroupId === undefined ? undefined : requestedPartition(facts.nodeClaim),
  };
}

/** The reservation that a launch uses for a type in a zone; `reservedOffering` has left at most one. */
export function reservationIn(
  { types, required }: ChosenTypes,
  typeName: string,
  zone: string,
): ReservationOffer | undefined {
  const type = types.find(({ name }) => name === typeName);
  if (type === undefined) return undefined;
  return chosenOfferings(type, capacityTypes.reserved, required).find((offering) => offering.zone === zone)
    ?.reservation;
}

/** A node has EFA interfaces only if the claim requests EFA or the class lists `efa-only` interfaces. */
function hasEfa({ nodeClaim, nodeClass }: LaunchFacts): boolean {
  const { networkInterfaces = [] } = nodeClass.spec;
  return (
    networkInterfaces.some(({ interfaceType }) => interfaceType === 'efa-only') ||
    Object.hasOwn(nodeClaim.spec.resources?.requests ?? {}, awsResources.efa)
  );
}
