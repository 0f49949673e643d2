import { allocatableOf, awsResources } from '@karpenter/aws';
import { capacityTypes, labelKeys } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import { type ResourceList, resourceAmount, resourceTexts, toNumber } from '@karpenter/core/values';
import { currencyOf } from '@karpenter/ec2-catalogue';
import { columnLines, type OutputColumn } from '../output/index.ts';
import { isEstimated, offeringLabel } from './type-line.ts';

/** Columns of `-o wide` alone: a table without them fits most screens. */
const wideTitles: ReadonlySet<string> = new Set(['DISK LEFT', 'ZONES']);

const wideColumns: readonly OutputColumn[] = [
  { title: 'TYPE', align: 'left' },
  { title: 'ARCH', align: 'left' },
  { title: 'CPU', align: 'right' },
  { title: 'MEMORY', align: 'right' },
  { title: 'PODS', align: 'right' },
  { title: 'CPU LEFT', align: 'right' },
  { title: 'MEMORY LEFT', align: 'right' },
  { title: 'DISK LEFT', align: 'right' },
  { title: 'DEVICES', align: 'left' },
  { title: 'ON-DEMAND', align: 'right' },
  { title: 'SPOT', align: 'right' },
  { title: 'ZONES', align: 'left' },
];

const bytesPerGiB = 2 ** 30;
/** Resources that every type has, or that have a column of their own; they stay out of the DEVICES column. */
const ordinaryDevices: ReadonlySet<string> = new Set([
  awsResources.podEni,
  awsResources.privateIpv4Address,
  'cpu',
  'memory',
  'ephemeral-storage',
  'pods',
]);

/** The available types as a table, the cheapest first, with allocatable resources; then the number of other types. */
export function typeTable(types: readonly InstanceType[], isWide: boolean): string {
  const offered = types.filter((type) => zonesOf(type).length > 0);
  const byPrice = [...offered].sort((a, b) => lowest(a) - lowest(b) || (a.name < b.name ? -1 : 1));
  const isShown = (index: number) => isWide || !wideTitles.has(wideColumns[index]?.title ?? '');
  const lines = columnLines(
    wideColumns.filter((_, index) => isShown(index)),
    byPrice.map((type) => rowOf(type).filter((_, index) => isShown(index))),
  );
  return `${[...lines, '', ...summary(types, offered)].join('\n')}\n`;
}

function summary(types: readonly InstanceType[], offered: readonly InstanceType[]): readonly string[] {
  const others = types.length - offered.length;
  const shown = `${offered.length} instance ${offered.length === 1 ? 'type' : 'types'}; left is what pods and daemons share; prices in ${currency(types)} an hour, estimates marked with ~`;
  if (others === 0) return [shown];
  return [
    shown,
    `${others} not available: no price is known, no zone offers them, or the NodeClass excludes them`,
  ];
}

function rowOf(type: InstanceType): readonly string[] {
  const left = allocatableOf(type);
  return [
    type.name,
    label(type, labelKeys.architecture),
    String(type.capacity['cpu'] ?? ''),
    gib(Number(label(type, 'karpenter.k8s.aws/instance-memory')) * 2 ** 20),
    String(type.capacity['pods'] ?? ''),
    toNumber(resourceAmount(left, 'cpu')).toFixed(2),
    gib(bytesOf(left, 'memory')),
    gib(bytesOf(left, 'ephemeral-storage')),
    devicesOf(left),
    priceAs(type, capacityTypes.onDemand),
    priceAs(type, capacityTypes.spot),
    zonesOf(type).join(' '),
  ];
}

function label({ requirements }: InstanceType, key: string): string {
  return requirements.find((item) => item.key === key)?.values?.join() ?? '';
}

function bytesOf(list: ResourceList, name: string): number {
  return toNumber(resourceAmount(list, name));
}

function gib(bytes: number): string {
  return `${(bytes / bytesPerGiB).toFixed(1)}Gi`;
}

function devicesOf(list: ResourceList): string {
  const devices = Object.entries(resourceTexts(list)).filter(([name]) => !ordinaryDevices.has(name));
  return devices
    .map(([name, count]) => `${count} ${name.replace(/^(vpc\.amazonaws|aws\.amazon)\.com\//, '')}`)
    .join(', ');
}

/** The lowest price as that capacity type; estimates have a `~`, as in `view`. */
function priceAs(type: InstanceType, capacityType: string): string {
  const [cheapest] = type.offerings
    .filter((each) => each.available && offeringLabel(each, labelKeys.capacityType) === capacityType)
    .sort((a, b) => a.price - b.price);
  if (cheapest === undefined) return '-';
  return `${isEstimated(type, cheapest) ? '~' : ''}${cheapest.price.toFixed(4)}`;
}

function currency([first]: readonly InstanceType[]): string {
  return first !== undefined && currencyOf(label(first, labelKeys.region)) === 'CNY' ? 'yuan' : 'dollars';
}

function lowest({ offerings }: InstanceType): number {
  return Math.min(...offerings.filter(({ available }) => available).map(({ price }) => price));
}

function zonesOf({ offerings }: InstanceType): readonly string[] {
  const open = offerings.filter(({ available }) => available);
  return [...new Set(open.map((each) => offeringLabel(each, labelKeys.zone) ?? ''))].sort();
}
