import { parseQuantity, toNumber } from '@karpenter/core/values';
import { branchInterfaces, type InstanceTypeInfo } from '@karpenter/ec2-catalogue';
import type { ImageSystem } from '../world/image.ts';
import type { Instance } from '../world/instance.ts';
import type { JoinRequest, KubeletSettings } from './user-data/join-request.ts';

export interface NodeResources {
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
  /** Names of extended resources that a device plugin reports after the kubelet is ready. */
  readonly devices: readonly string[];
}

/** What determines the resources of a node. */
export interface BootInputs {
  readonly info: InstanceTypeInfo;
  readonly system: ImageSystem;
  readonly instance: Pick<Instance, 'disks' | 'interfaces'>;
  readonly request: Pick<JoinRequest, 'kubelet' | 'usesInstanceStorage'>;
  /** Whether security groups for pods are enabled in the cluster. */
  readonly hasPodInterfaces?: boolean;
}

/** Share of the memory that kernel and firmware keep; it is missing from the capacity of the node. */
const keptMemory = 0.04;
/** Graviton instances additionally lose this much. */
const gravitonMiB = 64;
/** Share of a disk that its file system takes. */
const fileSystemShare = 0.0006;
const mi = 2 ** 20;
const gi = 2 ** 30;
const windowsPods = 110;

/**
 * Capacity and allocatable of the node that an instance becomes. Derived from the instance alone and never
 * from what our cloud provider computes, so that tests can compare the two.
 */
export function nodeResources(inputs: BootInputs): NodeResources {
  const { info, request } = inputs;
  const pods = podsOf(inputs);
  const memory = memoryOf(info);
  const disk = Math.floor(diskOf(inputs) * (1 - fileSystemShare));
  const devices = devicesOf(inputs);
  const cpu = info.VCpuInfo.DefaultVCpus * 1_000;
  const reserved = reservedResources(inputs, request.kubelet, { memory, disk });
  return {
    capacity: {
      cpu: String(info.VCpuInfo.DefaultVCpus),
      memory: kibibytes(memory),
      'ephemeral-storage': kibibytes(disk),
      pods: String(pods),
      ...devices,
    },
    allocatable: {
      cpu: `${Math.max(0, cpu - reserved.cpu)}m`,
      memory: kibibytes(Math.max(0, memory - reserved.memory)),
      'ephemeral-storage': String(Math.max(0, disk - reserved.disk)),
      pods: String(pods),
      ...devices,
    },
    devices: Object.keys(devices),
  };
}

function kibibytes(bytes: number): string {
  return `${Math.floor(bytes / 1_024)}Ki`;
}

function memoryOf({ MemoryInfo, ProcessorInfo }: InstanceTypeInfo): number {
  const isGraviton = ProcessorInfo.SupportedArchitectures[0] === 'arm64';
  const mebibytes = MemoryInfo.SizeInMiB * (1 - keptMemory) - (isGraviton ? gravitonMiB : 0);
  return Math.floor(mebibytes * mi);
}

/**
 * The pods that the addresses of the network interfaces allow, unless the kubelet is configured otherwise.
 */
function podsOf({ info, system, request }: BootInputs): number {
  const { maxPods, podsPerCore } = request.kubelet;
  const limit = maxPods ?? (system === 'windows' ? windowsPods : podsByAddresses(info));
  return podsPerCore === undefined || podsPerCore === 0
    ? limit
    : Math.min(limit, podsPerCore * info.VCpuInfo.DefaultVCpus);
}

/**
 * The formula of the EKS images (eni-max-pods): the primary address of each interface is not for pods, and
 * two pods use the network of the host.
 */
function podsByAddresses({ NetworkInfo: network }: InstanceTypeInfo): number {
  const card = network.NetworkCards[network.DefaultNetworkCardIndex];
  const interfaces = card?.MaximumNetworkInterfaces ?? network.MaximumNetworkInterfaces;
  return interfaces * (network.Ipv4AddressesPerInterface - 1) + 2;
}

/** The volume that holds pods, where that is not the root volume `/dev/xvda`. */
const dataDevices: Partial<Record<ImageSystem, string>> = { bottlerocket: '/dev/xvdb', windows: '/dev/sda1' };

function diskOf({ info, system, instance, request }: BootInputs): number {
  const own = info.InstanceStorageInfo?.TotalSizeInGB ?? 0;
  if (request.usesInstanceStorage && own > 0) return own * 1e9;
  const device = dataDevices[system] ?? '/dev/xvda';
  const disk = instance.disks.find((each) => each.device === device) ?? instance.disks[0];
  return (disk?.sizeGiB ?? 0) * gi;
}

function devicesOf({ info, system, instance, hasPodInterfaces }: BootInputs): Record<string, string> {
  const gpus = (maker: string) =>
    (info.GpuInfo?.Gpus ?? [])
      .filter(({ Manufacturer }) => Manufacturer === maker)
      .reduce((sum, { Count }) => sum + Count, 0);
  const neuron = info.NeuronInfo?.NeuronDevices ?? [];
  const gaudi = (info.GpuInfo?.Gpus ?? []).filter(({ Manufacturer }) => Manufacturer === 'Habana');
  const amounts: Readonly<Record<string, number>> = {
    'nvidia.com/gpu': gpus('NVIDIA'),
    'amd.com/gpu': gpus('AMD'),
    'habana.ai/gaudi': gaudi.reduce((sum, { Count }) => sum + Count, 0),
    'aws.amazon.com/neuron': neuron.reduce((sum, { Count }) => sum + Count, 0),
    'aws.amazon.com/neuroncore': neuron.reduce((sum, { Count, CoreInfo }) => sum + Count * CoreInfo.Count, 0),
    'vpc.amazonaws.com/efa': instance.interfaces.filter(({ type }) => type.startsWith('efa')).length,
    'vpc.amazonaws.com/pod-eni': hasPodInterfaces === true ? branchInterfaces(info.InstanceType) : 0,
    'vpc.amazonaws.com/PrivateIPv4Address':
      system === 'windows' ? info.NetworkInfo.Ipv4AddressesPerInterface - 1 : 0,
  };
  const there = Object.entries(amounts).filter(([, amount]) => amount > 0);
  return Object.fromEntries(there.map(([name, amount]) => [name, String(amount)]));
}

interface Reserved {
  readonly cpu: number;
  readonly memory: number;
  readonly disk: number;
}

/** What kubeReserved, systemReserved and evictionHard take from capacity, in millicores and bytes. */
function reservedResources(
  inputs: BootInputs,
  kubelet: KubeletSettings,
  has: { memory: number; disk: number },
): Reserved {
  const { kubeReserved, systemReserved, evictionHard } = kubelet;
  const defaults = imageDefaults(inputs);
  return {
    cpu: milli(kubeReserved['cpu'] ?? defaults.cpu) + milli(systemReserved['cpu'] ?? '0'),
    memory:
      bytes(kubeReserved['memory'] ?? defaults.memory) +
      bytes(systemReserved['memory'] ?? '0') +
      threshold(evictionHard['memory.available'] ?? '100Mi', has.memory),
    disk:
      bytes(kubeReserved['ephemeral-storage'] ?? '1Gi') +
      bytes(systemReserved['ephemeral-storage'] ?? '0') +
      threshold(evictionHard['nodefs.available'] ?? '10%', has.disk),
  };
}

/**
 * The kubeReserved defaults of the images. Amazon Linux counts the pods that addresses allow even if maxPods
 * is lower; Bottlerocket and Windows count maxPods.
 */
function imageDefaults(inputs: BootInputs): { cpu: string; memory: string } {
  const { info, system } = inputs;
  const countsPods = system === 'bottlerocket' || system === 'windows';
  const pods = countsPods ? podsOf(inputs) : podsByAddresses(info);
  return { cpu: `${reservedMillicores(info.VCpuInfo.DefaultVCpus)}m`, memory: `${11 * pods + 255}Mi` };
}

/**
 * The CPU that EKS images reserve: 6% of the first core, 1% of the second, 0.5% of the next two and 0.25% of
 * all others.
 */
function reservedMillicores(cores: number): number {
  const bands: readonly [number, number][] = [
    [1, 0.06],
    [1, 0.01],
    [2, 0.005],
    [Number.POSITIVE_INFINITY, 0.0025],
  ];
  let left = cores;
  return bands.reduce((sum, [width, share]) => {
    const inBand = Math.min(left, width);
    left -= inBand;
    return sum + Math.floor(inBand * 1_000 * share);
  }, 0);
}

function milli(text: string): number {
  return Math.round(toNumber(parseQuantity(text)) * 1_000);
}

function bytes(text: string): number {
  return toNumber(parseQuantity(text));
}

/** The value of an eviction threshold in bytes. As in the kubelet, 100% disables the threshold. */
function threshold(text: string, capacity: number): number {
  if (!text.endsWith('%')) return bytes(text);
  const share = Number(text.slice(0, -1)) / 100;
  return share >= 1 ? 0 : Math.ceil(capacity * share);
}
