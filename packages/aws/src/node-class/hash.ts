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

/** Value of the annotation that tells which algorithm made an EC2NodeClass hash. */
export const ec2NodeClassHashVersion = 'v5';

/** What counts of a spec; of the rest, what it resolves to is compared. */
export type HashedEC2NodeClassSpec = Partial<EC2NodeClassSpec>;

/** What counts beside the spec, because instances are started with it. */
export interface HashedClusterFacts {
  /** The family that images resolve to, be it stated or taken from an alias. */
  readonly amiFamily: string;
  /** The certificates that nodes verify the API server by, in base64. */
  readonly caBundle: string;
}

/**
 * The value of the annotation `karpenter.k8s.aws/ec2nodeclass-hash`. Fields that are judged by what they
 * resolve to (images, subnets, security groups, reservations) and `ipPrefixCount` do not count.
 */
export function ec2NodeClassHash(spec: HashedEC2NodeClassSpec, facts: HashedClusterFacts): string {
  return (hashSpec(spec) ^ hashText(facts.amiFamily) ^ hashText(facts.caBundle)).toString();
}

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

/** By its canonical text, so that `1024Gi` and `1Ti` are the same size. */
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
