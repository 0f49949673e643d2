import { awsResources } from '@karpenter/aws';
import type { InstanceOverhead } from '@karpenter/core/ports';
import type { QuantityTexts } from '@karpenter/core/values';
import { branchInterfaces, type InstanceTypeInfo } from '@karpenter/ec2-catalogue';
import { architecture } from './instance-labels.ts';

/** What firmware and hypervisor keep, as a share of the memory that EC2 advertises. */
const memoryOverheadShare = 0.075;
/** Kept by Linux on arm64 for contiguous allocations. */
const armReservedMiB = 64;
const diskGi = 20;

export function instanceCapacity(info: InstanceTypeInfo): QuantityTexts {
  return {
    cpu: String(cpus(info)),
    memory: `${usableMiB(info)}Mi`,
    'ephemeral-storage': `${diskGi}Gi`,
    pods: String(maxPods(info)),
    ...deviceCapacity(info),
  };
}

/** As EKS images reserve for the kubelet and evict at. */
export function instanceOverhead(info: InstanceTypeInfo): InstanceOverhead {
  return {
    kubeReserved: {
      cpu: `${reservedMilliCpu(cpus(info) * 1000)}m`,
      memory: `${11 * maxPods(info) + 255}Mi`,
      'ephemeral-storage': '1Gi',
    },
    evictionThreshold: { memory: '100Mi', 'ephemeral-storage': `${diskGi / 10}Gi` },
  };
}

function cpus({ VCpuInfo }: InstanceTypeInfo): number {
  return VCpuInfo.DefaultVCpus;
}

function usableMiB(info: InstanceTypeInfo): number {
  const advertised = info.MemoryInfo.SizeInMiB;
  const visible = architecture(info) === 'arm64' ? advertised - armReservedMiB : advertised;
  return visible - Math.ceil(visible * memoryOverheadShare);
}

/** One address of each network interface is its own; two pods use the host's network. */
function maxPods({ NetworkInfo }: InstanceTypeInfo): number {
  const { DefaultNetworkCardIndex, Ipv4AddressesPerInterface, MaximumNetworkInterfaces } = NetworkInfo;
  const card = NetworkInfo.NetworkCards.find((each) => each.NetworkCardIndex === DefaultNetworkCardIndex);
  const interfaces = card?.MaximumNetworkInterfaces ?? MaximumNetworkInterfaces;
  return interfaces === 0 ? 0 : interfaces * (Ipv4AddressesPerInterface - 1) + 2;
}

/** Upper ends of the bands in millicores, and the share that is kept of each. */
const cpuBands = [
  { upTo: 1000, share: 0.06 },
  { upTo: 2000, share: 0.01 },
  { upTo: 4000, share: 0.005 },
  { upTo: Number.POSITIVE_INFINITY, share: 0.0025 },
];

function reservedMilliCpu(milli: number): number {
  let from = 0;
  let reserved = 0;
  for (const { upTo, share } of cpuBands) {
    reserved += Math.trunc(Math.max(0, Math.min(milli, upTo) - from) * share);
    from = upTo;
  }
  return reserved;
}

const gpuResources: Readonly<Record<string, string>> = {
  NVIDIA: awsResources.nvidiaGpu,
  AMD: awsResources.amdGpu,
  Habana: awsResources.habanaGaudi,
};

function deviceCapacity({ InstanceType, GpuInfo, NeuronInfo, NetworkInfo }: InstanceTypeInfo): QuantityTexts {
  const amounts = new Map<string, number>();
  const add = (name: string | undefined, amount = 0): void => {
    if (name !== undefined && amount > 0) amounts.set(name, (amounts.get(name) ?? 0) + amount);
  };
  for (const { Manufacturer, Count } of GpuInfo?.Gpus ?? []) add(gpuResources[Manufacturer], Count);
  const devices = NeuronInfo?.NeuronDevices ?? [];
  for (const { Count } of devices) add(awsResources.neuron, Count);
  const [first] = devices;
  add(awsResources.neuronCore, (first?.Count ?? 0) * (first?.CoreInfo.Count ?? 0));
  add(awsResources.podEni, branchInterfaces(InstanceType));
  add(awsResources.efa, NetworkInfo.EfaInfo?.MaximumEfaInterfaces);
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, String(amount)]));
}
