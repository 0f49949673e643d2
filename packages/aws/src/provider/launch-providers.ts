import { randomUUID } from 'node:crypto';
import { batchedEc2 } from '../batching/index.ts';
import { Launcher } from '../fleet/index.ts';
import { InstanceProvider, LaunchesInFlight } from '../instances/index.ts';
import { LaunchBatches } from '../launch-batches/index.ts';
import { LaunchTemplateProvider } from '../launch-templates/index.ts';
import type { AwsProvider, AwsProviderOptions } from './aws-provider.ts';
import { providerMetrics } from './provider-metrics.ts';
import { SpotRoleNotice } from './spot-role-notice.ts';

type LaunchInputs = Pick<
  AwsProvider,
  'unavailableOfferings' | 'reservationCounts' | 'zonalShifts' | 'subnets' | 'launchSettings'
>;

interface LaunchProviders extends Pick<AwsProvider, 'instances' | 'launchTemplates'> {
  readonly launcher: Launcher;
  readonly batches: LaunchBatches;
}

/** Builds the parts that launch instances and track them. */
export function launchProviders(options: AwsProviderOptions, known: LaunchInputs): LaunchProviders {
  const { services, settings, clock, log, meters, events, random, unique = randomUUID } = options;
  const { ec2 } = services;
  const { clusterName, featureGates } = settings;
  const { onBatch, onUserData, onFailure, onTerminationFailure } = providerMetrics(meters);
  const batches = new LaunchBatches({ clock, unique });
  const batched = batchedEc2({ ec2, clock, log, batches, onBatch, random });
  const launchTemplates = new LaunchTemplateProvider({ ec2, clock, log, clusterName, onUserData });
  const launches = new LaunchesInFlight(clock);
  const instances = new InstanceProvider({
    ec2,
    batched,
    launches,
    clusterName,
    reservedCapacity: featureGates.ReservedCapacity,
    isShifted: (zoneId) => known.zonalShifts.has(zoneId),
    onTerminationFailure,
  });
  const spotRole = new SpotRoleNotice({ events, clock, log });
  const launcher = new Launcher({
    ec2: batched,
    clock,
    log,
    launches,
    templates: launchTemplates,
    subnets: known.subnets.addresses,
    trackers: { unavailableOfferings: known.unavailableOfferings, reservations: known.reservationCounts },
    settings: known.launchSettings,
    onFailure,
    onSpotRoleNotPermitted: (claim) => spotRole.publish(claim),
  });
  return { instances, launchTemplates, launcher, batches };
}
