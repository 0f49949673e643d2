import type { DevicePlace } from '../../ports/index.ts';
import type { Vocabulary } from '../../requirements/index.ts';
import { compileDevice, type Device } from './device.ts';
import { countersOf, type DeviceInventory, joinedInventory, noDevices } from './device-inventory.ts';
import { type NodeTerm, nodeTerms } from './node-terms.ts';
import type { ResourceSliceView } from './resource-shapes.ts';

/** Devices outside of nodes, which all nodes or those of a selector can use. */
export interface RemoteDevices {
  /** Undefined if all nodes can use them. */
  readonly terms: readonly NodeTerm[] | undefined;
  /** The node that publishes them, if any: they disappear with it. */
  readonly owner: string | undefined;
  readonly inventory: DeviceInventory;
}

/** The devices of all ResourceSlices, by where they can be used. */
export class PublishedDevices {
  readonly remote: readonly RemoteDevices[];
  readonly #local = new Map<string, DeviceInventory>();
  readonly #byId = new Map<string, Device>();
  /** Node of each resource pool that belongs to one. */
  readonly #nodeOfPool = new Map<string, string>();

  constructor(vocabulary: Vocabulary, slices: readonly ResourceSliceView[]) {
    const remote = new Map<string, RemoteDevices>();
    for (const pool of poolsOf(slices)) {
      for (const { place, owner, inventory } of groupsOf(pool)) {
        for (const device of inventory.devices) this.#byId.set(device.id, device);
        const { nodeName, nodeSelector } = place;
        if (nodeName !== undefined) {
          this.#nodeOfPool.set(pool.name, nodeName);
          this.#local.set(nodeName, joinedInventory(this.onNode(nodeName), inventory));
          continue;
        }
        const key = JSON.stringify([owner, nodeSelector]);
        const terms = nodeSelector && nodeTerms(vocabulary, nodeSelector);
        const known = remote.get(key)?.inventory ?? noDevices;
        remote.set(key, { terms, owner, inventory: joinedInventory(known, inventory) });
      }
    }
    this.remote = [...remote.values()];
  }

  onNode(name: string): DeviceInventory {
    return this.#local.get(name) ?? noDevices;
  }

  find(id: string): Device | undefined {
    return this.#byId.get(id);
  }

  /** @param pool `driver/pool` */
  nodeOfPool(pool: string): string | undefined {
    return this.#nodeOfPool.get(pool);
  }
}

/** The newest generation of a resource pool. */
interface Pool {
  /** `driver/pool`. */
  readonly name: string;
  readonly slices: readonly ResourceSliceView[];
  readonly isComplete: boolean;
}

/** While a driver publishes a pool again, only the newest generation counts. */
function poolsOf(slices: readonly ResourceSliceView[]): readonly Pool[] {
  const byName = new Map<string, ResourceSliceView[]>();
  for (const slice of slices) {
    const name = `${slice.spec.driver}/${slice.spec.pool.name}`;
    const others = byName.get(name) ?? [];
    others.push(slice);
    byName.set(name, others);
  }
  return [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, all]) => {
      const newest = Math.max(...all.map(({ spec }) => spec.pool.generation));
      const current = all.filter(({ spec }) => spec.pool.generation === newest);
      const isComplete = current.every(({ spec }) => spec.pool.resourceSliceCount === current.length);
      return { name, slices: current.sort(byNameOfSlice), isComplete };
    });
}

function byNameOfSlice({ metadata: a }: ResourceSliceView, { metadata: b }: ResourceSliceView): number {
  return a.name < b.name ? -1 : 1;
}

interface DeviceGroup {
  readonly place: DevicePlace;
  readonly owner: string | undefined;
  readonly inventory: DeviceInventory;
}

/**
 * Devices of an incomplete pool are not used. Counters may be in other slices than the devices that consume
 * them.
 */
function groupsOf({ name, slices, isComplete }: Pool): readonly DeviceGroup[] {
  const counters = countersOf(
    slices.map(({ spec }) => ({ pool: name, sharedCounters: spec.sharedCounters })),
  );
  return slices.flatMap((slice) =>
    placedDevices(slice).map(({ place, devices }) => ({
      place,
      owner: place.nodeName ?? ownerOf(slice),
      inventory: isComplete
        ? { devices: devices.map((view) => compiled(view, slice, place)), counters, isComplete }
        : { ...noDevices, isComplete },
    })),
  );
}

function compiled(
  view: Parameters<typeof compileDevice>[0],
  { spec }: ResourceSliceView,
  { nodeName }: DevicePlace,
): Device {
  return compileDevice(view, {
    driver: spec.driver,
    pool: spec.pool.name,
    isLocal: nodeName !== undefined,
  });
}

function placedDevices({ spec }: ResourceSliceView) {
  const { devices = [], nodeName, nodeSelector, perDeviceNodeSelection } = spec;
  if (perDeviceNodeSelection === true)
    return devices.map((device) => ({ place: placeOf(device), devices: [device] }));
  return [{ place: placeOf({ nodeName, nodeSelector }), devices }];
}

function placeOf({
  nodeName,
  nodeSelector,
}: {
  readonly nodeName?: DevicePlace['nodeName'] | undefined;
  readonly nodeSelector?: DevicePlace['nodeSelector'] | undefined;
}): DevicePlace {
  if (nodeName !== undefined) return { nodeName };
  return nodeSelector === undefined ? { allNodes: true } : { nodeSelector };
}

function ownerOf({ metadata }: ResourceSliceView): string | undefined {
  return metadata.ownerReferences?.find(({ kind }) => kind === 'Node')?.name;
}
