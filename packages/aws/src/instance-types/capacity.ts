import { awsResources } from '../names/index.ts';
import { architectureOf, type DescribedType, memoryMiBOf, vCpusOf } from './described-type.ts';
import { ephemeralStorage } from './ephemeral-storage.ts';
import { branchInterfacesOf, privateAddressesOf } from './network-facts.ts';
import type { NodeFacts, SizeSettings } from './node-facts.ts';
import { maxPods } from './pod-density.ts';
import { quantityText } from './quantity-text.ts';

/** Quantities by resource name, each as Kubernetes writes it. */
export type ResourceTexts = Readonly<Record<string, string>>;

/**
 * The contiguous memory allocator of Linux on arm64 reserves this much, which the kubelet does not report.
 */
const armReservedMiB = 64;
const bytesPerMiB = 2 ** 20;

/** Capacity of a node of the type. Device resources that the type lacks are left out. */
export function capacityOf(type: DescribedType, facts: NodeFacts, settings: SizeSettings): ResourceTexts {
  const devices = Object.entries(deviceCounts(type, facts)).filter(([, count]) => count > 0);
  return {
    cpu: whole(vCpusOf(type)),
    memory: quantityText(`${usableMiB(type, settings)}Mi`),
    'ephemeral-storage': quantityText(ephemeralStorage(type, facts)),
    pods: whole(maxPods(type, facts, settings)),
    ...Object.fromEntries(devices.map(([name, count]) => [name, whole(count)])),
  };
}

/** Estimates the memory that the kernel sees. Errs on the low side, so that planned pods fit. */
function usableMiB(type: DescribedType, { vmMemoryOverheadPercent }: SizeSettings): number {
  const advertised = memoryMiBOf(type);
  const isArm = type.ProcessorInfo?.SupportedArchitectures?.[0] === 'arm64';
  const visible = isArm ? advertised - armReservedMiB : advertised;
  return visible - Math.ceil((visible * bytesPerMiB * vmMemoryOverheadPercent) / 1024 / 1024);
}

/** Extended resources that device plugins and the VPC resource controller will register on the node. */
function deviceCounts(type: DescribedType, facts: NodeFacts): Readonly<Record<string, number>> {
  const neuron = type.NeuronInfo?.NeuronDevices ?? [];
  const [first] = neuron;
  return {
    [awsResources.podEni]: branchInterfacesOf(type),
    [awsResources.nvidiaGpu]: gpusOf(type, 'NVIDIA'),
    [awsResources.amdGpu]: gpusOf(type, 'AMD'),
    [awsResources.habanaGaudi]: gpusOf(type, 'Habana'),
    [awsResources.neuron]: sum(neuron.map(({ Count = 0 }) => Count)),
    // Karpenter counts the cores of the first device entry only.
    [awsResources.neuronCore]: (first?.Count ?? 0) * (first?.CoreInfo?.Count ?? 0),
    [awsResources.efa]: efaInterfaces(type, facts),
    [awsResources.privateIpv4Address]: windowsAddresses(type, facts),
  };
}

function gpusOf({ GpuInfo }: DescribedType, manufacturer: string): number {
  const gpus = GpuInfo?.Gpus ?? [];
  return sum(gpus.map(({ Manufacturer, Count = 0 }) => (Manufacturer === manufacturer ? Count : 0)));
}

/** A class that lists interfaces gets the EFA devices it lists, otherwise all that the type supports. */
function efaInterfaces({ NetworkInfo }: DescribedType, { networkInterfaces }: NodeFacts): number {
  if (networkInterfaces === undefined) return NetworkInfo?.EfaInfo?.MaximumEfaInterfaces ?? 0;
  return networkInterfaces.filter(({ interfaceType }) => interfaceType === 'efa-only').length;
}

/** Pods on Windows request this resource; the VPC resource controller assigns the addresses. */
function windowsAddresses(type: DescribedType, { family }: NodeFacts): number {
  const isWindows = family.operatingSystem === 'windows' && architectureOf(type) === 'amd64';
  return isWindows ? privateAddressesOf(type) : 0;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function whole(count: number): string {
  return quantityText(String(count));
}
