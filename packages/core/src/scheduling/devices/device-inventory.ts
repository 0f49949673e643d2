import type { CounterSetView, DeviceTemplate } from '../../ports/index.ts';
import { amountOf, compileDevice, counterName, type Device } from './device.ts';

/** The devices that one node can use. */
export interface DeviceInventory {
  /** In the order in which they are tried. */
  readonly devices: readonly Device[];
  /** Capacity of shared counters. */
  readonly counters: ReadonlyMap<string, bigint>;
  /** Whether drivers have published all devices; a request for all devices fails until then. */
  readonly isComplete: boolean;
}

export const noDevices: DeviceInventory = { devices: [], counters: new Map(), isComplete: true };

export function joinedInventory(...parts: readonly DeviceInventory[]): DeviceInventory {
  const filled = parts.filter(({ devices, isComplete }) => devices.length > 0 || !isComplete);
  const [only, another] = filled;
  if (another === undefined) return only ?? noDevices;
  return {
    devices: filled.flatMap(({ devices }) => devices),
    counters: new Map(filled.flatMap(({ counters }) => [...counters])),
    isComplete: filled.every(({ isComplete }) => isComplete),
  };
}

/** The devices that nodes of an instance type will publish. */
export function templateInventory(templates: readonly DeviceTemplate[]): DeviceInventory {
  return {
    devices: templates.flatMap(({ driver, pool, devices = [] }) =>
      devices.map((view) => compileDevice(view, { driver, pool, isLocal: true })),
    ),
    counters: countersOf(
      templates.map(({ driver, pool, sharedCounters }) => ({ pool: `${driver}/${pool}`, sharedCounters })),
    ),
    isComplete: true,
  };
}

interface CountingSlice {
  /** `driver/pool`. */
  readonly pool: string;
  readonly sharedCounters?: readonly CounterSetView[] | undefined;
}

export function countersOf(slices: readonly CountingSlice[]): ReadonlyMap<string, bigint> {
  const amounts = slices.flatMap(({ pool, sharedCounters = [] }) =>
    sharedCounters.flatMap(({ name: set, counters }) =>
      Object.entries(counters).map(
        ([counter, { value }]) => [counterName(pool, set, counter), amountOf(value)] as const,
      ),
    ),
  );
  return new Map(amounts);
}
