import { changesOf, type Runnable } from '@karpenter/kube/runtime';
import { CapacityBlockController } from '../interruption/index.ts';
import { ec2NodeClassConditionSet } from '../names/index.ts';
import type { AwsProvider } from '../provider/index.ts';
import { CapacityTypeController } from './capacityreservation-capacitytype/capacity-type-controller.ts';
import { ClaimsByClass, classOfDeletedClaim } from './class-objects.ts';
import type { AwsControllerOptions } from './controller-options.ts';
import { InstanceCollector } from './instance-garbagecollection/instance-collector.ts';
import { ProfileCollector } from './instanceprofile-garbagecollection/profile-collector.ts';
import { interruptionControllers } from './interruption-controllers.ts';
import { TaggingController, untaggedClaims } from './nodeclaim-tagging/tagging-controller.ts';
import { NodeClassController } from './nodeclass/node-class-controller.ts';
import { resolutionSteps } from './nodeclass/resolution-steps.ts';
import { NodeClassTermination } from './nodeclass/termination.ts';
import { NodeClassValidation } from './nodeclass/validation.ts';
import { HashController } from './nodeclass-hash/hash-controller.ts';
import { MemoryController, registeredNodes } from './providers/memory-controller.ts';
import { ParameterInvalidation } from './providers/parameter-invalidation.ts';
import {
  instanceTypeRefresh,
  offeringReport,
  pricingRefresh,
  versionRefresh,
} from './providers/refresh-controller.ts';
import { whenSynced } from './sources.ts';
import { ZonalShiftController } from './zonalshift/zonal-shift-controller.ts';

/** Builds the controllers that refresh data from AWS. They only read, so a standby replica runs them too (ADR 0036). */
export function awsRefreshControllers({
  pricing,
  instanceTypes,
  version,
}: Pick<AwsProvider, 'pricing' | 'instanceTypes' | 'version'>): readonly Runnable[] {
  return [
    { singleton: pricingRefresh(pricing) },
    { singleton: instanceTypeRefresh(instanceTypes) },
    { singleton: versionRefresh(version) },
  ];
}

/** Builds every other AWS controller. The controller for condition metrics is generic and built elsewhere. */
export function awsControllers(options: AwsControllerOptions): readonly Runnable[] {
  return [
    ...nodeClassControllers(options),
    ...instanceControllers(options),
    ...providerControllers(options),
    ...reservationControllers(options),
    ...interruptionControllers(options),
  ];
}

function nodeClassControllers(options: AwsControllerOptions): readonly Runnable[] {
  const { caches, client, provider } = options;
  const { nodeClasses, nodeClaims, nodePools } = caches;
  const claims = new ClaimsByClass(nodeClaims);
  return [
    {
      controller: nodeClassController(options, claims),
      sources: [changesOf(nodeClasses), changesOf(nodeClaims, classOfDeletedClaim), whenSynced(nodePools)],
    },
    {
      controller: new HashController({
        client,
        classes: nodeClasses,
        claims,
        hashOf: (nodeClass) => provider.hashOf(nodeClass),
      }),
      sources: [changesOf(nodeClasses), whenSynced(nodeClaims)],
    },
  ];
}

function nodeClassController(options: AwsControllerOptions, claims: ClaimsByClass): NodeClassController {
  const { caches, provider, services, settings, clock, log } = options;
  const { clusterName, disableDryRun, featureGates, isolatedVpc } = settings;
  const { ReservedCapacity: reservedCapacity } = featureGates;
  const validation = new NodeClassValidation({
    ec2: services.ec2,
    templates: provider.launchTemplates,
    cidr: provider.clusterCidr,
    instanceTypes: provider.instanceTypes,
    placementGroups: provider.placementGroups,
    nodePools: caches.nodePools,
    launch: () => provider.launchSettings(),
    clusterName,
    disableDryRun,
    clock,
    log,
  });
  return new NodeClassController({
    ...options,
    classes: caches.nodeClasses,
    steps: resolutionSteps({ resolvers: provider, reservedCapacity, clock }),
    validation: (nodeClass) => validation.check(nodeClass),
    termination: new NodeClassTermination({
      ...options,
      claims,
      profiles: isolatedVpc ? undefined : provider.profiles,
      templates: provider.launchTemplates,
      validation,
    }),
    conditions: ec2NodeClassConditionSet({ ReservedCapacity: reservedCapacity }),
  });
}

function instanceControllers(options: AwsControllerOptions): readonly Runnable[] {
  const { caches, provider, settings } = options;
  const { nodeClaims: claims, nodeClasses: classes, nodes } = caches;
  const { instances, profiles } = provider;
  const { clusterName } = settings;
  return [
    {
      controller: new TaggingController({ ...options, claims, instances, clusterName }),
      sources: [changesOf(claims, untaggedClaims)],
    },
    {
      singleton: new InstanceCollector({ ...options, claims, nodes, instances }),
      sources: [whenSynced(claims, nodes)],
    },
    ...(settings.isolatedVpc
      ? []
      : [
          {
            singleton: new ProfileCollector({ classes, claims, profiles }),
            sources: [whenSynced(classes, claims)],
          },
        ]),
  ];
}

function providerControllers(options: AwsControllerOptions): readonly Runnable[] {
  const { caches, provider, services } = options;
  const { nodeClaims: claims, nodeClasses: classes, nodePools, nodes } = caches;
  const { parameters, discoveredMemory: memory, zonalShifts: shifts } = provider;
  return [
    { singleton: new ParameterInvalidation({ ...options, ec2: services.ec2, parameters }) },
    {
      controller: new MemoryController({ nodes, claims, classes, memory }),
      sources: [changesOf(nodes, registeredNodes), whenSynced(claims, classes)],
    },
    { singleton: offeringReport(provider), sources: [whenSynced(nodePools, classes)] },
    {
      singleton: new ZonalShiftController({ ...options, shifts, nodePools, classes }),
      sources: [whenSynced(nodePools, classes)],
    },
  ];
}

function reservationControllers(options: AwsControllerOptions): readonly Runnable[] {
  const { caches, provider } = options;
  const { nodeClaims: claims, nodes } = caches;
  const { instances, reservations } = provider;
  return [
    {
      singleton: new CapacityTypeController({ ...options, claims, nodes, instances }),
      sources: [whenSynced(claims, nodes)],
    },
    {
      singleton: new CapacityBlockController({ ...options, claims, reservations }),
      sources: [whenSynced(claims)],
    },
  ];
}
