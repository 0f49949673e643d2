import type { Device } from './device.ts';
import type { DeviceShare } from './device-share.ts';

/** Which devices are in use, and what is consumed of their capacities and shared counters. */
export class DeviceUsage {
  /** Number of allocations, by id of the device. */
  readonly #holders = new Map<string, number>();
  /** Consumed capacity, by id of the device and name. */
  readonly #consumed = new Map<string, bigint>();
  /** Consumed counters, by name. */
  readonly #counted = new Map<string, bigint>();

  /** An independent copy. */
  copy(): DeviceUsage {
    const copy = new DeviceUsage();
    for (const [id, times] of this.#holders) copy.#holders.set(id, times);
    for (const [name, amount] of this.#consumed) copy.#consumed.set(name, amount);
    for (const [counter, amount] of this.#counted) copy.#counted.set(counter, amount);
    return copy;
  }

  isInUse({ id }: Pick<Device, 'id'>): boolean {
    return (this.#holders.get(id) ?? 0) > 0;
  }

  /** Whether one more allocation of this share is possible. */
  allows(device: Device, share: DeviceShare, counters: ReadonlyMap<string, bigint>): boolean {
    if (this.isInUse(device)) return device.isShared && this.#hasLeft(device, share);
    return device.counters.every(
      ({ counter, amount }) => (this.#counted.get(counter) ?? 0n) + amount <= (counters.get(counter) ?? -1n),
    );
  }

  take(device: Device, share: DeviceShare): void {
    if (!this.isInUse(device)) this.#count(device, 1n);
    this.#holders.set(device.id, (this.#holders.get(device.id) ?? 0) + 1);
    this.#consume(device, share, 1n);
  }

  giveBack(device: Device, share: DeviceShare): void {
    this.#holders.set(device.id, (this.#holders.get(device.id) ?? 0) - 1);
    this.#consume(device, share, -1n);
    if (!this.isInUse(device)) this.#count(device, -1n);
  }

  #hasLeft({ id, capacity }: Device, share: DeviceShare): boolean {
    return [...share].every(
      ([name, amount]) =>
        (this.#consumed.get(`${id} ${name}`) ?? 0n) + amount <= (capacity.get(name)?.value ?? 0n),
    );
  }

  #consume({ id }: Device, share: DeviceShare, sign: bigint): void {
    for (const [name, amount] of share) addAmount(this.#consumed, `${id} ${name}`, sign * amount);
  }

  #count({ counters }: Device, sign: bigint): void {
    for (const { counter, amount } of counters) addAmount(this.#counted, counter, sign * amount);
  }
}

function addAmount(amounts: Map<string, bigint>, name: string, amount: bigint): void {
  amounts.set(name, (amounts.get(name) ?? 0n) + amount);
}
