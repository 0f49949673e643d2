import type { AllocatedDevice } from './allocation.ts';
import type { DeviceInventory } from './device-inventory.ts';
import type { DeviceUsage } from './device-usage.ts';

/** The devices of one planned node and their usage, for each instance type that it may become. */
export interface HostDevices {
  /** Identifies the node within the plan. */
  readonly location: string;
  /** By the text of the device templates of the types; types that publish the same share an entry. */
  readonly byTemplate: ReadonlyMap<string, TemplateDevices>;
}

export interface TemplateDevices {
  readonly inventory: DeviceInventory;
  readonly usage: DeviceUsage;
  /** DRA drivers of the devices in use. */
  readonly drivers: ReadonlySet<string>;
}

/**
 * The DRA drivers that the node has to wait for: those whose devices pods use on every possible instance
 * type.
 */
export function driversOf({ byTemplate }: HostDevices): readonly string[] {
  const [first, ...others] = byTemplate.values();
  return [...(first?.drivers ?? [])]
    .filter((driver) => others.every(({ drivers }) => drivers.has(driver)))
    .sort();
}

/** The devices after a further allocation; devices outside of the node are left out. */
export function withAllocated(
  { inventory, usage, drivers }: TemplateDevices,
  given: readonly AllocatedDevice[],
): TemplateDevices {
  const own = given.filter(({ device }) => device.isLocal);
  const after = usage.copy();
  for (const { device, share, adminAccess } of own) if (!adminAccess) after.take(device, share);
  return {
    inventory,
    usage: after,
    drivers: new Set([...drivers, ...own.map(({ device }) => device.driver)]),
  };
}

/** Devices outside of the node to allocate, so that the allocation holds for every possible instance type. */
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
