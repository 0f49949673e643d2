import type { AllocatedDevice } from './allocation.ts';
import type { DeviceInventory } from './device-inventory.ts';
import type { DeviceUsage } from './device-usage.ts';

/** What pods have been given of the devices of one new node, for each of the machines that it may become. */
export interface HostDevices {
  /** Tells the node from others. */
  readonly location: string;
  /** By the text of what their types will publish. */
  readonly machines: ReadonlyMap<string, MachineDevices>;
}

export interface MachineDevices {
  readonly inventory: DeviceInventory;
  readonly usage: DeviceUsage;
  /** Of its own devices that were given away. */
  readonly drivers: ReadonlySet<string>;
}

/** The drivers that the node has to wait for: those of which pods use devices whichever machine it becomes. */
export function driversOf({ machines }: HostDevices): readonly string[] {
  const [first, ...others] = machines.values();
  return [...(first?.drivers ?? [])]
    .filter((driver) => others.every(({ drivers }) => drivers.has(driver)))
    .sort();
}

/** The machine with more of its devices given away. */
export function withAllocated(
  { inventory, usage, drivers }: MachineDevices,
  given: readonly AllocatedDevice[],
): MachineDevices {
  const own = given.filter(({ device }) => device.isLocal);
  const after = usage.copied();
  for (const { device, share, adminAccess } of own) if (!adminAccess) after.take(device, share);
  return {
    inventory,
    usage: after,
    drivers: new Set([...drivers, ...own.map(({ device }) => device.driver)]),
  };
}

/** Devices of no machine that are to be kept for the node, whichever machine it becomes. */
export function remoteDevices(allocations: Iterable<readonly AllocatedDevice[]>): readonly AllocatedDevice[] {
  const kept = new Map<string, AllocatedDevice>();
  for (const given of allocations) {
    const seen = new Map<string, number>();
    for (const each of given.filter(({ device }) => !device.isLocal)) {
      const name = `${each.claim} ${each.request} ${each.device.id}`;
      const times = (seen.get(name) ?? 0) + 1;
      seen.set(name, times);
      kept.set(`${name} ${times}`, each);
    }
  }
  return [...kept.values()];
}
