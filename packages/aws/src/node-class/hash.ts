import {
  type Hash,
  hashBoolean,
  hashDuration,
  hashInt32,
  hashInt64,
  hashList,
  hashMap,
  hashStructure,
  hashText,
  hashTextList,
  hashTextMap,
  ifSet,
  unlessZero,
} from '@karpenter/core/api';
import { formatQuantity, parseDuration, parseQuantity } from '@karpenter/core/values';
import type { BlockDevice, BlockDeviceMapping } from './block-device-schema.ts';
import type { EC2NodeClassSpec } from './ec2-node-class.ts';
import type {
  ConnectionTracking,
  CpuOptions,
  MetadataOptions,
  NetworkInterface,
} from './instance-options-schema.ts';
import type { KubeletConfiguration } from './kubelet-schema.ts';
import type { PlacementGroupSelector } from './selector-terms.ts';

/**
 * Version of the hash algorithm, as in the annotation `ec2nodeclass-hash-version`. It must change with the algorithm:
 * drift compares hashes of one version only, and the hash controller restamps claims of another.
 */
export const ec2NodeClassHashVersion = 'v5';

/** The spec fields to hash. Selectors are left out; drift compares what they resolve to. */
export type HashedEC2NodeClassSpec = Partial<EC2NodeClassSpec>;

/** Inputs besides the spec, because launch templates contain them. */
export interface HashedClusterFacts {
  /** AMI family, from the spec or an alias. */
  readonly amiFamily: string;
  /** CA bundle of the API server, in base64. */
  readonly caBundle: string;
}

/**
 * Returns the value of the annotation `karpenter.k8s.aws/ec2nodeclass-hash`, equal to Karpenter's so that
 * switching between the two drifts no node. Fields that drift compares by what they resolve to (AMIs,
 * subnets, security groups, reservations) and `ipPrefixCount` are not part of it.
 */
export function ec2NodeClassHash(spec: HashedEC2NodeClassSpec, facts: HashedClusterFacts): string {
  return (hashSpec(spec) ^ hashText(facts.amiFamily) ^ hashText(facts.caBundle)).toString();
}

/**
 * Struct and field names are those of Karpenter's Go types, because hashstructure hashes them. The order of fields is
 * that of their declaration and part of the result. `ifSet` is for pointers, lists and maps: an explicit false or zero
 * behind a pointer counts. `unlessZero` is for plain fields, whose zero value is skipped.
 */
function hashSpec(spec: HashedEC2NodeClassSpec): Hash {
  return hashStructure('EC2NodeClassSpec', [
    ['PlacementGroupSelector', ifSet(spec.placementGroupSelector, hashPlacementGroupSelector)],
    ['AssociatePublicIPAddress', ifSet(spec.associatePublicIPAddress, hashBoolean)],
    ['UserData', ifSet(spec.userData, hashText)],
    ['Role', unlessZero(spec.role, hashText)],
    ['InstanceProfile', ifSet(spec.instanceProfile, hashText)],
    ['Tags', ifSet(spec.tags, hashTextMap)],
    ['Kubelet', ifSet(spec.kubelet, hashKubelet)],
    ['BlockDeviceMappings', ifSet(spec.blockDeviceMappings, hashBlockDeviceMappings)],
    ['InstanceStorePolicy', ifSet(spec.instanceStorePolicy, hashText)],
    ['NetworkInterfaces', ifSet(spec.networkInterfaces, hashNetworkInterfaces)],
    ['DetailedMonitoring', ifSet(spec.detailedMonitoring, hashBoolean)],
    ['MetadataOptions', ifSet(spec.metadataOptions, hashMetadataOptions)],
    ['ConnectionTracking', ifSet(spec.connectionTracking, hashConnectionTracking)],
    ['Context', ifSet(spec.context, hashText)],
    ['CPUOptions', ifSet(spec.cpuOptions, hashCpuOptions)],
  ]);
}

function hashPlacementGroupSelector(selector: PlacementGroupSelector): Hash {
  return hashStructure('PlacementGroupSelector', [
    ['Name', unlessZero(selector.name, hashText)],
    ['ID', unlessZero(selector.id, hashText)],
  ]);
}

function hashKubelet(kubelet: KubeletConfiguration): Hash {
  return hashStructure('KubeletConfiguration', [
    ['ClusterDNS', ifSet(kubelet.clusterDNS, hashTextList)],
    ['MaxPods', ifSet(kubelet.maxPods, hashInt32)],
    ['PodsPerCore', ifSet(kubelet.podsPerCore, hashInt32)],
    ['SystemReserved', ifSet(kubelet.systemReserved, hashTextMap)],
    ['KubeReserved', ifSet(kubelet.kubeReserved, hashTextMap)],
    ['EvictionHard', ifSet(kubelet.evictionHard, hashTextMap)],
    ['EvictionSoft', ifSet(kubelet.evictionSoft, hashTextMap)],
    ['EvictionSoftGracePeriod', ifSet(kubelet.evictionSoftGracePeriod, hashGracePeriods)],
    ['EvictionMaxPodGracePeriod', ifSet(kubelet.evictionMaxPodGracePeriod, hashInt32)],
    ['ImageGCHighThresholdPercent', ifSet(kubelet.imageGCHighThresholdPercent, hashInt32)],
    ['ImageGCLowThresholdPercent', ifSet(kubelet.imageGCLowThresholdPercent, hashInt32)],
    ['CPUCFSQuota', ifSet(kubelet.cpuCFSQuota, hashBoolean)],
  ]);
}

function hashGracePeriods(periods: Readonly<Record<string, string>>): Hash {
  return hashMap(periods, (text) =>
    hashDuration(parseDuration(text, 'spec.kubelet.evictionSoftGracePeriod')),
  );
}

/** A list hashes independently of its order, as in Karpenter: reordered devices are no drift. */
function hashBlockDeviceMappings(mappings: readonly BlockDeviceMapping[]): Hash {
  return hashList(mappings, (mapping) =>
    hashStructure('BlockDeviceMapping', [
      ['DeviceName', ifSet(mapping.deviceName, hashText)],
      ['EBS', ifSet(mapping.ebs, hashBlockDevice)],
      ['RootVolume', unlessZero(mapping.rootVolume, hashBoolean)],
    ]),
  );
}

function hashBlockDevice(device: BlockDevice): Hash {
  return hashStructure('BlockDevice', [
    ['DeleteOnTermination', ifSet(device.deleteOnTermination, hashBoolean)],
    ['Encrypted', ifSet(device.encrypted, hashBoolean)],
    ['IOPS', ifSet(device.iops, hashInt64)],
    ['KMSKeyID', ifSet(device.kmsKeyID, hashText)],
    ['SnapshotID', ifSet(device.snapshotID, hashText)],
    ['Throughput', ifSet(device.throughput, hashInt64)],
    ['VolumeInitializationRate', ifSet(device.volumeInitializationRate, hashInt32)],
    ['VolumeSize', ifSet(device.volumeSize, hashVolumeSize)],
    ['VolumeType', ifSet(device.volumeType, hashText)],
  ]);
}

/** Hashes the canonical text, so that `1024Gi` and `1Ti` are equal. */
function hashVolumeSize(text: string): Hash {
  return hashText(formatQuantity(parseQuantity(text, 'spec.blockDeviceMappings[].ebs.volumeSize')));
}

function hashNetworkInterfaces(interfaces: readonly NetworkInterface[]): Hash {
  return hashList(interfaces, (networkInterface) =>
    hashStructure('NetworkInterface', [
      ['NetworkCardIndex', unlessZero(networkInterface.networkCardIndex, hashInt32)],
      ['DeviceIndex', unlessZero(networkInterface.deviceIndex, hashInt32)],
      ['InterfaceType', unlessZero(networkInterface.interfaceType, hashText)],
    ]),
  );
}

function hashMetadataOptions(options: MetadataOptions): Hash {
  return hashStructure('MetadataOptions', [
    ['HTTPEndpoint', ifSet(options.httpEndpoint, hashText)],
    ['HTTPProtocolIPv6', ifSet(options.httpProtocolIPv6, hashText)],
    ['HTTPPutResponseHopLimit', ifSet(options.httpPutResponseHopLimit, hashInt64)],
    ['HTTPTokens', ifSet(options.httpTokens, hashText)],
  ]);
}

function hashConnectionTracking(tracking: ConnectionTracking): Hash {
  return hashStructure('ConnectionTracking', [
    ['TCPEstablishedTimeout', ifSet(tracking.tcpEstablishedTimeout, hashInt32)],
    ['UDPStreamTimeout', ifSet(tracking.udpStreamTimeout, hashInt32)],
    ['UDPTimeout', ifSet(tracking.udpTimeout, hashInt32)],
  ]);
}

function hashCpuOptions(options: CpuOptions): Hash {
  return hashStructure('CPUOptions', [
    ['NestedVirtualization', ifSet(options.nestedVirtualization, hashText)],
  ]);
}
