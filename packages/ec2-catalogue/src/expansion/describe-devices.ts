import type { GpuInfo, InferenceAcceleratorInfo, NeuronInfo } from '../instance-type-info.ts';
import type { DeviceCount } from '../notation/device.ts';

interface DeviceInfos {
  readonly GpuInfo?: GpuInfo;
  readonly NeuronInfo?: NeuronInfo;
  readonly InferenceAcceleratorInfo?: InferenceAcceleratorInfo;
}

/** Returns the GPU and accelerator fields of a record. */
export function describeDevices(devices: DeviceCount | undefined): DeviceInfos {
  if (devices === undefined) return {};
  const { reportedAs } = devices.device;
  return {
    ...(reportedAs.includes('gpu') ? { GpuInfo: gpuInfo(devices) } : {}),
    ...(reportedAs.includes('neuron') ? { NeuronInfo: neuronInfo(devices) } : {}),
    ...(reportedAs.includes('inference') ? { InferenceAcceleratorInfo: inferenceInfo(devices) } : {}),
  };
}

function gpuInfo(devices: DeviceCount): GpuInfo {
  return { Gpus: [deviceInfo(devices)], TotalGpuMemoryInMiB: totalMemory(devices) };
}

function inferenceInfo(devices: DeviceCount): InferenceAcceleratorInfo {
  return { Accelerators: [deviceInfo(devices)], TotalInferenceMemoryInMiB: totalMemory(devices) };
}

function neuronInfo(devices: DeviceCount): NeuronInfo {
  const { name, cores, coreVersion } = devices.device;
  return {
    NeuronDevices: [
      {
        Name: name,
        Count: devices.count,
        CoreInfo: { Count: cores, Version: coreVersion },
        MemoryInfo: { SizeInMiB: devices.memoryMiB },
      },
    ],
    TotalNeuronDeviceMemoryInMiB: totalMemory(devices),
  };
}

function deviceInfo({ device, count, memoryMiB }: DeviceCount) {
  return {
    Name: device.name,
    Manufacturer: device.manufacturer,
    Count: count,
    MemoryInfo: { SizeInMiB: memoryMiB },
  };
}

function totalMemory({ count, memoryMiB }: DeviceCount): number {
  return memoryMiB * Math.max(count, 1);
}
