import { parseQuantity, toNumber } from '@karpenter/core/values';
import { branchInterfaces, type InstanceTypeInfo } from '@karpenter/ec2-catalogue';
import type { ImageSystem } from '../world/image.ts';
import type { Instance } from '../world/instance.ts';
import type { JoinRequest, KubeletSettings } from './user-data/join-request.ts';

export interface MachineResources {
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
  /** Resources that a device plugin reports. */
  readonly devices: readonly string[];
}

export interface Machine {
  readonly info: InstanceTypeInfo;
  readonly system: ImageSystem;
  readonly instance: Pick<Instance, 'disks' | 'interfaces'>;
  readonly request: Pick<JoinRequest, 'kubelet' | 'usesInstanceStorage'>;
  /** Security groups for pods are switched on in the cluster. */
  readonly hasPodInterfaces?: boolean;
}

/** What the kernel and firmware keep of the memory. */
const keptMemory = 0.04;
const gravitonMiB = 64;
/** The share of a disk that its file system takes. */
const fileSystemShare = 0.0006;
const mi = 2 ** 20;
const gi = 2 ** 30;
const windowsPods = 110;

/** Worked out from the machine itself and never from what the provider expects, so that the two can be compared. */
export function machineResources(machine: Machine): MachineResources {
  const { info, request } = machine;
  const pods = podsOf(machine);
  const memory = memoryOf(info);
  const disk = Math.floor(diskOf(machine) * (1 - fileSystemShare));
  const devices = devicesOf(machine);
  const cpu = info.VCpuInfo.DefaultVCpus * 1_000;
  const held = heldBack(machine, request.kubelet, { memory, disk });
  return {
    capacity: {
      cpu: String(info.VCpuInfo.DefaultVCpus),
      memory: kibibytes(memory),
      'ephemeral-storage': kibibytes(disk),
      pods: String(pods),
      ...devices,
    },
    allocatable: {
      cpu: `${Math.max(0, cpu - held.cpu)}m`,
      memory: kibibytes(Math.max(0, memory - held.memory)),
      'ephemeral-storage': String(Math.max(0, disk - held.disk)),
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

/** What the addresses of the interfaces allow, unless the kubelet is told another number. */
function podsOf({ info, system, request }: Machine): number {
  const { maxPods, podsPerCore } = request.kubelet;
  const most = maxPods ?? (system === 'windows' ? windowsPods : podsByAddresses(info));
  return podsPerCore === undefined || podsPerCore === 0
    ? most
    : Math.min(most, podsPerCore * info.VCpuInfo.DefaultVCpus);
}

function podsByAddresses({ NetworkInfo: network }: InstanceTypeInfo): number {
  const card = network.NetworkCards[network.DefaultNetworkCardIndex];
  const interfaces = card?.MaximumNetworkInterfaces ?? network.MaximumNetworkInterfaces;
  return interfaces * (network.Ipv4AddressesPerInterface - 1) + 2;
}

const dataDevices: Partial<Record<ImageSystem, string>> = { bottlerocket: '/dev/xvdb', windows: '/dev/sda1' };

function diskOf({ info, system, instance, request }: Machine): number {
  const own = info.InstanceStorageInfo?.TotalSizeInGB ?? 0;
  if (request.usesInstanceStorage && own > 0) return own * 1e9;
  const device = dataDevices[system] ?? '/dev/xvda';
  const disk = instance.disks.find((each) => each.device === device) ?? instance.disks[0];
  return (disk?.sizeGiB ?? 0) * gi;
}

function devicesOf({ info, system, instance, hasPodInterfaces }: Machine): Record<string, string> {
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

interface Held {
  readonly cpu: number;
  readonly memory: number;
  readonly disk: number;
}

/** What the system and the kubelet keep, in millicores and bytes. */
function heldBack(machine: Machine, kubelet: KubeletSettings, has: { memory: number; disk: number }): Held {
  const { kubeReserved, systemReserved, evictionHard } = kubelet;
  const usual = usualReserved(machine);
  return {
    cpu: milli(kubeReserved['cpu'] ?? usual.cpu) + milli(systemReserved['cpu'] ?? '0'),
    memory:
      bytes(kubeReserved['memory'] ?? usual.memory) +
      bytes(systemReserved['memory'] ?? '0') +
      threshold(evictionHard['memory.available'] ?? '100Mi', has.memory),
    disk:
      bytes(kubeReserved['ephemeral-storage'] ?? '1Gi') +
      bytes(systemReserved['ephemeral-storage'] ?? '0') +
      threshold(evictionHard['nodefs.available'] ?? '10%', has.disk),
  };
}

/** As the images reserve for the kubelet: by addresses on Amazon Linux, by pods elsewhere. */
function usualReserved(machine: Machine): { cpu: string; memory: string } {
  const { info, system } = machine;
  const countsPods = system === 'bottlerocket' || system === 'windows';
  const pods = countsPods ? podsOf(machine) : podsByAddresses(info);
  return { cpu: `${reservedMillicores(info.VCpuInfo.DefaultVCpus)}m`, memory: `${11 * pods + 255}Mi` };
}

/** 6 % of the first core, 1 % of the next, half a percent of the next two, a quarter of all others. */
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

/** Of an eviction signal; all of it stands for none. */
function threshold(text: string, capacity: number): number {
  if (!text.endsWith('%')) return bytes(text);
  const share = Number(text.slice(0, -1)) / 100;
  return share >= 1 ? 0 : Math.ceil(capacity * share);
}
