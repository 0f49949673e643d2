import { devices } from '../facts/devices.ts';
import { deviceCount, deviceTable } from '../notation/device.ts';
import { interfaces } from '../notation/interfaces.ts';
import { processor } from '../notation/processor.ts';
import { listedSize } from '../notation/size.ts';
import { count, known, lines } from '../notation/table.ts';
import type { Shape } from './shape.ts';

const knownDevices = deviceTable(devices);

/** The line of a family, above its sizes. */
interface Head {
  readonly family: string;
  readonly processor: string;
  readonly device: string | undefined;
}

/** Parses a table that lists the sizes one by one below their family. */
export function listedShapes(table: string): readonly Shape[] {
  let head: Head | undefined;
  const shapes: Shape[] = [];
  for (const line of lines(table).slice(1)) {
    if (!line.startsWith(' ')) head = parseHead(line);
    else if (head !== undefined) shapes.push(listedShape(head, line.trim().split(/\s+/)));
  }
  return shapes;
}

function parseHead(line: string): Head {
  const [family = '', processor = '', device] = line.split(' ');
  return { family, processor, device };
}

function listedShape(head: Head, cells: readonly string[]): Shape {
  const [code = '', vcpus, gib, devices = '', storage, net = '', efa, ebs, network, price] = cells;
  const size = listedSize(code, Number(vcpus));
  const device = knownDevices.get(head.device ?? '');
  return {
    name: `${head.family}.${size.name}`,
    family: head.family,
    size,
    processor: processor(head.processor),
    memoryMiB: Number(gib) * 1024,
    storageGB: count(storage),
    interfaces: interfaces(net),
    efaInterfaces: count(efa),
    devices: device === undefined ? undefined : deviceCount(device, devices),
    ebsMbps: known(ebs),
    networkMbps: known(network),
    price: known(price),
  };
}
