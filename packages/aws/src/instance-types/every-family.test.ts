import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { labelKeys } from '@karpenter/core/api';
import { parseResourceList, type ResourceList } from '@karpenter/core/values';
import { instanceType, instanceTypes } from '@karpenter/ec2-catalogue';
import { describe, expect, it } from 'vitest';
import { amiFamilies } from '../ami-family/index.ts';
import { instanceLabelKeys as labels } from '../names/index.ts';
import { allocatableOf } from './allocatable.ts';
import type { DescribedType } from './described-type.ts';
import { instanceShape } from './instance-shape.ts';
import { describedLabels } from './labels.ts';

/**
 * One type of each family, calculated by hand from its EC2 record: a `-` is a label or device that it lacks.
 * Memory is MiB less 64 on arm64, less 7.5 % rounded up; pods are interfaces × (addresses − 1) + 2; reserved
 * are 11 MiB for each pod and 255, and 6 %, 1 %, 0.5 %, 0.25 % of the CPU in bands; allocatable is the
 * capacity less the reserved resources and the eviction threshold.
 */
const labelRows = rowsOf('family-labels.txt');
const sizeRows = rowsOf('family-sizes.txt');

const settings = { vmMemoryOverheadPercent: 0.075, reservedEnis: 0 };

describe('the expected tables', () => {
  const families = [...new Set(instanceTypes().map(({ InstanceType }) => familyOf(InstanceType)))].sort();

  it.each([
    ['labels', labelRows],
    ['sizes', sizeRows],
  ])('of %s contain one type of every family in the catalogue', (_, rows) => {
    expect(rows.map(({ type = '' }) => familyOf(type)).sort()).toEqual(families);
  });
});

describe('labels', () => {
  it.each(labelRows.map((row) => [row['type'] ?? '', row] as const))('of %s', (name, row) => {
    expect(describedLabels(catalogued(name))).toEqual(expectedLabels(row));
  });
});

describe('sizes on Amazon Linux 2023', () => {
  it.each(sizeRows.map((row) => [row['type'] ?? '', row] as const))('of %s', (name, row) => {
    const shape = instanceShape(catalogued(name), { family: amiFamilies.AL2023 }, settings);
    const devices = { pods: row['pods'], ...devicesOf(row['devices']) };
    expect({
      capacity: nanos(parseResourceList(shape.capacity)),
      kubeReserved: nanos(parseResourceList(shape.overhead.kubeReserved)),
      evictionThreshold: nanos(parseResourceList(shape.overhead.evictionThreshold)),
      allocatable: nanos(allocatableOf(shape)),
    }).toEqual({
      capacity: amounts({ cpu: row['cpu'], memory: mebi(row['MiB']), ...disk('20Gi'), ...devices }),
      kubeReserved: amounts({ cpu: milli(row['kept-mCPU']), memory: mebi(row['kept-MiB']), ...disk('1Gi') }),
      evictionThreshold: amounts({ memory: mebi(row['free-MiB']), ...disk('2Gi') }),
      allocatable: amounts({
        cpu: milli(row['left-mCPU']),
        memory: mebi(row['left-MiB']),
        ...disk('17Gi'),
        ...devices,
      }),
    });
  });
});

type Row = Readonly<Record<string, string>>;

/** Columns are separated by two or more spaces. */
function rowsOf(file: string): readonly Row[] {
  const text = readFileSync(join(import.meta.dirname, 'by-hand', file), 'utf8');
  const [header = [], ...rows] = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  return rows.map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ''])));
}

function familyOf(name: string): string {
  return name.split('.')[0] ?? '';
}

function catalogued(name: string): DescribedType {
  const type = instanceType(name);
  if (type === undefined) throw new Error(`the catalogue has no ${name}`);
  return type;
}

function expectedLabels(row: Row): Readonly<Record<string, string | undefined>> {
  const [family, size] = (row['type'] ?? '').split('.');
  const [gpuManufacturer, gpuName, gpuCount, gpuMemory] = partsOf(row['gpu']);
  const [acceleratorManufacturer, acceleratorName, acceleratorCount] = partsOf(row['accelerator']);
  return {
    [labelKeys.instanceType]: row['type'],
    [labelKeys.architecture]: row['arch'],
    [labels.category]: known(row['category']),
    [labels.generation]: known(row['generation']),
    [labels.family]: family,
    [labels.size]: size,
    [labels.capabilityFlex]: row['flex'],
    [labels.cpu]: row['cpu'],
    [labels.cpuManufacturer]: row['maker'],
    [labels.cpuSustainedClockSpeedMhz]: known(row['MHz']),
    [labels.memory]: row['MiB'],
    [labels.ebsBandwidth]: known(row['EBS']),
    [labels.networkBandwidth]: known(row['network']),
    [labels.hypervisor]: row['hypervisor'] === 'none' ? '' : row['hypervisor'],
    [labels.encryptionInTransitSupported]: row['encrypted'],
    [labels.localNvme]: known(row['NVMe']),
    [labels.gpuName]: gpuName,
    [labels.gpuManufacturer]: gpuManufacturer,
    [labels.gpuCount]: gpuCount,
    [labels.gpuMemory]: gpuMemory,
    [labels.acceleratorName]: acceleratorName,
    [labels.acceleratorManufacturer]: acceleratorManufacturer,
    [labels.acceleratorCount]: acceleratorCount,
  };
}

/** `nvidia/a10g/4/22888` */
function partsOf(cell = '-'): readonly string[] {
  return cell === '-' ? [] : cell.split('/');
}

/** `nvidia.com/gpu=4 vpc.amazonaws.com/efa=1` */
function devicesOf(cell = '-'): Row {
  return cell === '-' ? {} : Object.fromEntries(cell.split(' ').map((device) => device.split('=')));
}

function known(cell: string | undefined): string | undefined {
  return cell === '-' ? undefined : cell;
}

const mebi = (cell = '') => `${cell}Mi`;
const milli = (cell = '') => `${cell}m`;
const disk = (size: string) => ({ 'ephemeral-storage': size });

function amounts(texts: Readonly<Record<string, string | undefined>>) {
  return nanos(parseResourceList(texts));
}

/** Equal quantities may be written in different units. */
function nanos(list: ResourceList): Readonly<Record<string, bigint>> {
  return Object.fromEntries(Object.entries(list).map(([name, { nano }]) => [name, nano]));
}
