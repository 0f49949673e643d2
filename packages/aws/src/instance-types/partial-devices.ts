import type { InstanceType } from '@karpenter/core/ports';
import { awsResources } from '../names/index.ts';
import type { DescribedType } from './described-type.ts';

const resources: Readonly<Record<string, string>> = {
  NVIDIA: awsResources.nvidiaGpu,
  AMD: awsResources.amdGpu,
  Habana: awsResources.habanaGaudi,
};

/** Resource names of fractional GPUs, such as those of g6f, for which EC2 reports a count of 0. */
export function partialDevices({ GpuInfo }: DescribedType): Pick<InstanceType, 'partialDevices'> {
  const slices = (GpuInfo?.Gpus ?? []).filter(({ Count = 0 }) => Count === 0);
  const names = slices.flatMap(({ Manufacturer = '' }) => resources[Manufacturer] ?? []);
  return names.length === 0 ? {} : { partialDevices: names };
}
