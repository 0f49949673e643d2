import type { DeviceCount } from '../notation/device.ts';
import type { Interfaces } from '../notation/interfaces.ts';
import type { Processor } from '../notation/processor.ts';
import type { Size } from '../notation/size.ts';

/** The facts about one instance type. */
export interface Shape {
  readonly name: string;
  readonly family: string;
  readonly size: Size;
  readonly processor: Processor;
  readonly memoryMiB: number;
  readonly storageGB: number;
  readonly interfaces: Interfaces;
  readonly efaInterfaces: number;
  readonly devices: DeviceCount | undefined;
  readonly ebsMbps: number | undefined;
  readonly networkMbps: number | undefined;
  /** Dollars per hour. */
  readonly price: number | undefined;
}
