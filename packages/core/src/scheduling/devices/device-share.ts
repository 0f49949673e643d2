import type { CapacityRequestPolicy } from '../../ports/index.ts';
import { amountOf, type Capacity, type Device } from './device.ts';

/** What one allocation takes of a device: by name of the capacity, nothing of a device that is taken whole. */
export type DeviceShare = ReadonlyMap<string, bigint>;

export const wholeDevice: DeviceShare = new Map();

/**
 * What a request takes of the device, in amounts that the device allows; undefined if it has not as much. Asking for
 * capacity of a device that nobody shares only makes sure that it is large enough.
 */
export function shareFor(device: Device, asked: ReadonlyMap<string, bigint>): DeviceShare | undefined {
  for (const [name, amount] of asked) {
    const capacity = device.capacity.get(name);
    if (capacity === undefined || amount > capacity.value) return undefined;
  }
  if (!device.isShared) return wholeDevice;
  const share = new Map<string, bigint>();
  for (const [name, capacity] of device.capacity) {
    const taken = allowedAmount(capacity, asked.get(name));
    if (taken === undefined || taken > capacity.value) return undefined;
    share.set(name, taken);
  }
  return share;
}

/** Without a policy, who asks for nothing gets everything. */
function allowedAmount({ value, policy }: Capacity, asked: bigint | undefined): bigint | undefined {
  if (policy === undefined) return asked ?? value;
  if (asked === undefined) return policy.default === undefined ? value : amountOf(policy.default);
  if (policy.validValues !== undefined && policy.validValues.length > 0) {
    const values = policy.validValues.map(amountOf);
    return values.find((valid) => valid >= asked);
  }
  return policy.validRange === undefined ? asked : withinRange(policy.validRange, asked);
}

function withinRange(
  { min, max, step }: NonNullable<CapacityRequestPolicy['validRange']>,
  asked: bigint,
): bigint | undefined {
  const least = min === undefined ? 0n : amountOf(min);
  const rounded = asked <= least ? least : least + roundedUp(asked - least, step);
  return max !== undefined && rounded > amountOf(max) ? undefined : rounded;
}

function roundedUp(amount: bigint, step: string | number | undefined): bigint {
  const size = step === undefined ? 0n : amountOf(step);
  return size <= 0n ? amount : ((amount + size - 1n) / size) * size;
}
