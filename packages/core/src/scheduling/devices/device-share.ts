import type { CapacityRequestPolicy } from '../../ports/index.ts';
import { amountOf, type Capacity, type Device } from './device.ts';

/** What one allocation consumes of a device, by name of the capacity; empty if it takes the whole device. */
export type DeviceShare = ReadonlyMap<string, bigint>;

export const wholeDevice: DeviceShare = new Map();

/**
 * The share of a device for a request, rounded as its request policy says; undefined if the device has too
 * little. For a device that cannot be shared, the requested capacity is only a minimum: the request gets the
 * whole device.
 */
export function shareFor(device: Device, requested: ReadonlyMap<string, bigint>): DeviceShare | undefined {
  for (const [name, amount] of requested) {
    const capacity = device.capacity.get(name);
    if (capacity === undefined || amount > capacity.value) return undefined;
  }
  if (!device.isShared) return wholeDevice;
  const share = new Map<string, bigint>();
  for (const [name, capacity] of device.capacity) {
    const taken = allowedAmount(capacity, requested.get(name));
    if (taken === undefined || taken > capacity.value) return undefined;
    share.set(name, taken);
  }
  return share;
}

/** Without policy and request, an allocation takes the whole capacity. */
function allowedAmount({ value, policy }: Capacity, requested: bigint | undefined): bigint | undefined {
  if (policy === undefined) return requested ?? value;
  if (requested === undefined) return policy.default === undefined ? value : amountOf(policy.default);
  if (policy.validValues !== undefined && policy.validValues.length > 0) {
    const values = policy.validValues.map(amountOf);
    return values.find((valid) => valid >= requested);
  }
  return policy.validRange === undefined ? requested : withinRange(policy.validRange, requested);
}

function withinRange(
  { min, max, step }: NonNullable<CapacityRequestPolicy['validRange']>,
  requested: bigint,
): bigint | undefined {
  const least = min === undefined ? 0n : amountOf(min);
  const rounded = requested <= least ? least : least + roundedUp(requested - least, step);
  return max !== undefined && rounded > amountOf(max) ? undefined : rounded;
}

function roundedUp(amount: bigint, step: string | number | undefined): bigint {
  const size = step === undefined ? 0n : amountOf(step);
  return size <= 0n ? amount : ((amount + size - 1n) / size) * size;
}
