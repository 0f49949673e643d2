import { rows } from './table.ts';

/** A GPU or accelerator. `reportedAs` names the fields in which EC2 reports it. */
interface CatalogueDevice {
  readonly reportedAs: string;
  readonly manufacturer: string;
  readonly name: string;
  readonly memoryMiB: number;
  readonly cores: number;
  readonly coreVersion: number;
}

/** Devices of a type. EC2 reports a count of 0 for a type with a slice of a GPU. */
export interface DeviceCount {
  readonly device: CatalogueDevice;
  readonly count: number;
  readonly memoryMiB: number;
}

export function deviceTable(table: string): ReadonlyMap<string, CatalogueDevice> {
  return new Map(
    rows(table).map(([key = '', reportedAs = '', manufacturer = '', name = '', memory, cores, version]) => [
      key,
      {
        reportedAs,
        manufacturer,
        name,
        memoryMiB: Number(memory),
        cores: Number(cores),
        coreVersion: Number(version),
      },
    ]),
  );
}

/** Parses `8` devices, or `1/4` of one. */
export function deviceCount(device: CatalogueDevice, word: string): DeviceCount {
  const [count, slices] = word.split('/').map(Number);
  if (slices === undefined) return { device, count: count ?? 0, memoryMiB: device.memoryMiB };
  return { device, count: 0, memoryMiB: device.memoryMiB / slices };
}
