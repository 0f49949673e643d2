import { type CapacityType, capacityTypes, labelKeys, type NodeClaim } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import { amiFamilyOf, blockDevicesOf } from '../ami-family/index.ts';
import { ObjectCache } from '../caching/index.ts';
import {
  type CatalogueRequirements,
  capacityOf,
  chosenOfferings,
  imageFinder,
  type LaunchableType,
  type ReservationOffer,
} from '../launchable/index.ts';
import { awsLabelKeys, awsResources } from '../names/index.ts';
import type { AmiStatus, EC2NodeClass, KubeletConfiguration } from '../node-class/index.ts';
import {
  bootLabels,
  bootTaints,
  bottlerocketVersion,
  type ClusterFacts,
  registrableLabels,
} from '../user-data/index.ts';
import type { TemplateOptions } from './template-options.ts';

/** Inputs of a launch, apart from the instance types to choose from. */
export interface LaunchFacts {
  readonly nodeClass: EC2NodeClass;
  readonly nodeClaim: Pick<NodeClaim, 'metadata' | 'spec'>;
  readonly cluster: ClusterFacts & { readonly dnsIp?: string | undefined };
  readonly region: string;
  /** Whether the gate ReservedCapacity is on. */
  readonly reservedCapacity: boolean;
  readonly tags: Readonly<Record<string, string>>;
  readonly placementGroupId?: string | undefined;
  readonly capacityType: CapacityType;
  readonly tenancy: 'default' | 'dedicated';
}

/** A launch template and the instance types that can use it. */
export interface PlannedTemplate {
  readonly options: TemplateOptions;
  readonly types: readonly LaunchableType[];
}

/** Instance types that share a template, with the values they must have in common. */
interface Group {
  readonly ami: AmiStatus;
  readonly efaCount: number;
  readonly pods: number;
  readonly reservation?: ReservationOffer | undefined;
  readonly types: LaunchableType[];
}

/**
 * Plans the templates of a launch, one per AMI, maxPods, EFA
 * count and reservation. Throws if the class is unresolved.
 */
export function planTemplates(
  facts: LaunchFacts,
  types: readonly LaunchableType[],
  wanted: CatalogueRequirements,
): readonly PlannedTemplate[] {
  const { securityGroups = [], amis = [] } = facts.nodeClass.status ?? {};
  if (securityGroups.length === 0) throw unresolved(facts, 'no security groups are present in the status');
  if (amis.length === 0) throw unresolved(facts, 'no amis exist given constraints');
  const groups = groupsOf(facts, types, wanted);
  if (groups.length === 0) {
    throw unresolved(
      facts,
      `no instance types satisfy requirements of amis [${amis.map(({ id }) => id).join(', ')}]`,
    );
  }
  return groups.map((group) => ({ options: templateOptions(facts, group), types: group.types }));
}

function unresolved({ nodeClass }: LaunchFacts, message: string): CodedError {
  return new CodedError('unresolved-node-class', message, {
    details: { nodeClass: nodeClass.metadata.name },
  });
}

const groupsByTypes = new ObjectCache<readonly LaunchableType[], readonly Group[]>();

/** Launches with equal requirements share one list of types (ADR 0022), so its groups are cached by that list. */
function groupsOf(
  facts: LaunchFacts,
  types: readonly LaunchableType[],
  wanted: CatalogueRequirements,
): readonly Group[] {
  const wantsEfa = requested(facts, awsResources.efa);
  const inputs = [wantsEfa, facts.nodeClass.status?.amis, facts.capacityType, wanted.requirements];
  return groupsByTypes.get(types, inputs, () => grouped(facts, types, wanted));
}

function grouped(
  facts: LaunchFacts,
  types: readonly LaunchableType[],
  wanted: CatalogueRequirements,
): readonly Group[] {
  const groups = new Map<string, Group>();
  const wantsEfa = requested(facts, awsResources.efa);
  const imageOf = imageFinder(facts.nodeClass.status?.amis ?? [], wanted.catalogue);
  for (const type of types) {
    const ami = imageOf(type);
    if (ami === undefined) continue;
    const efaCount = wantsEfa ? capacityOf(type, awsResources.efa) : 0;
    const pods = capacityOf(type, 'pods');
    for (const reservation of reservationsOf(type, facts, wanted)) {
      // The template contains all four: image, interfaces, maxPods in the user data, and target reservation.
      const key = [ami.id, efaCount, pods, reservation?.id].join();
      const group = groups.get(key) ?? { ami, efaCount, pods, reservation, types: [] };
      group.types.push(type);
      groups.set(key, group);
    }
  }
  return [...groups.values()];
}

/** Reservations that the launch may use; a single undefined entry for other capacity types. */
function reservationsOf(
  type: LaunchableType,
  { capacityType }: LaunchFacts,
  wanted: CatalogueRequirements,
): readonly (ReservationOffer | undefined)[] {
  if (capacityType !== capacityTypes.reserved) return [undefined];
  const offers = chosenOfferings(type, capacityType, wanted).flatMap(({ reservation }) => reservation ?? []);
  return [...new Map(offers.map((offer) => [offer.id, offer])).values()];
}

function templateOptions(facts: LaunchFacts, { ami, efaCount, pods, reservation }: Group): TemplateOptions {
  const { spec, status, metadata } = facts.nodeClass;
  const family = amiFamilyOf(spec).name;
  return {
    region: facts.region,
    dnsIp: facts.cluster.dnsIp,
    nodeClass: metadata.name,
    family,
    bootstrap: {
      cluster: facts.cluster,
      kubelet: {
        ...spec.kubelet,
        // Always set: the AMI would compute its own limit, and the planner has counted on this one.
        maxPods: spec.kubelet?.maxPods ?? pods,
        ...clusterDns(facts),
      },
      labels: nodeLabels(facts),
      taints: bootTaints(facts.nodeClaim.spec),
      customUserData: spec.userData,
      instanceStorePolicy: spec.instanceStorePolicy,
      imageVersion: bottlerocketVersion(spec.amiSelectorTerms, status?.amis ?? []),
    },
    imageId: ami.id,
    instanceProfile: status?.instanceProfile ?? '',
    securityGroups: (status?.securityGroups ?? []).map(({ id }) => id),
    tags: facts.tags,
    blockDeviceMappings: blockDevicesOf(family, spec.blockDeviceMappings),
    metadataOptions: spec.metadataOptions,
    cpuOptions: spec.cpuOptions,
    detailedMonitoring: spec.detailedMonitoring ?? false,
    associatePublicIp: spec.associatePublicIPAddress,
    ipPrefixCount: spec.ipPrefixCount,
    networkInterfaces: spec.networkInterfaces,
    efaCount,
    enclave: requested(facts, awsResources.nitroEnclaveSlots),
    connectionTracking: spec.connectionTracking,
    capacityType: facts.capacityType,
    tenancy: facts.tenancy,
    reservations: facts.reservedCapacity ? { target: targetOf(reservation) } : undefined,
    placement: placementOf(facts),
  };
}

/** Drops the free capacity, which changes with every launch and would change the template's name. */
function targetOf(offer: ReservationOffer | undefined): Omit<ReservationOffer, 'capacity'> | undefined {
  return offer && { id: offer.id, type: offer.type, interruptible: offer.interruptible };
}

/** clusterDNS of the class, else the discovered DNS address; an empty list counts as not set. */
function clusterDns({
  nodeClass,
  cluster: { dnsIp },
}: LaunchFacts): Pick<KubeletConfiguration, 'clusterDNS'> {
  const { clusterDNS: chosen = [] } = nodeClass.spec.kubelet ?? {};
  const addresses = chosen.length === 0 && dnsIp !== undefined ? [dnsIp] : chosen;
  return addresses.length === 0 ? {} : { clusterDNS: addresses };
}

function nodeLabels({ nodeClaim, capacityType }: LaunchFacts): Record<string, string> {
  const { labels = {} } = nodeClaim.metadata;
  return registrableLabels({ ...labels, [labelKeys.capacityType]: capacityType, ...bootLabels });
}

function requested({ nodeClaim }: LaunchFacts, resource: string): boolean {
  const { requests = {} } = nodeClaim.spec.resources ?? {};
  return Object.hasOwn(requests, resource);
}

function placementOf({ placementGroupId, nodeClaim }: LaunchFacts): TemplateOptions['placement'] {
  if (placementGroupId === undefined) return undefined;
  return { groupId: placementGroupId, partition: requestedPartition(nodeClaim) };
}

/** Returns the partition that a NodeClaim requires; of several the first in string order, as in Karpenter. */
export function requestedPartition({ spec }: Pick<NodeClaim, 'spec'>): string | undefined {
  const requirement = spec.requirements.find(
    ({ key, operator }) => key === awsLabelKeys.placementGroupPartition && operator === 'In',
  );
  return [...(requirement?.values ?? [])].sort()[0];
}
