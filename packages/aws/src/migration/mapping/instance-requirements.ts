import { labelKeys, type NodePool } from '@karpenter/core/api';
import { instanceType } from '@karpenter/ec2-catalogue';
import { awsLabelKeys } from '../../names/index.ts';
import type { FindingList } from '../finding.ts';
import type { SourceGroup } from '../source/source-group.ts';

export type PoolRequirement = NodePool['spec']['template']['spec']['requirements'][number];

/** The instance types of the pool: those of the group, or with `widen` all of the same categories and vCPU counts. */
export function instanceRequirements(
  group: SourceGroup,
  findings: FindingList,
  widen: boolean,
): readonly PoolRequirement[] {
  const { instanceTypes, selector } = group;
  if (instanceTypes.length > 0) {
    const setting = `instance types: ${instanceTypes.join(', ')}`;
    const widened = widen ? widenedTypes(instanceTypes) : [];
    if (widened.length > 0) {
      findings.mapped(setting, 'requirements on category, generation, vCPUs and architecture');
      return widened;
    }
    findings.mapped(setting, `requirement on ${labelKeys.instanceType}; --widen allows similar types`);
    return [{ key: labelKeys.instanceType, operator: 'In', values: [...instanceTypes] }];
  }
  return selectorRequirements(selector, findings);
}

/** Category and generation of a name, as in the labels of a node: `im` and `4` of `im4gn.large`. */
const namePattern = /^([a-z]+)(?:-\d+tb)?(\d+)/;

/** Empty if the catalogue lacks a type, because its vCPUs and architecture are then unknown. */
function widenedTypes(names: readonly string[]): readonly PoolRequirement[] {
  const infos = names.flatMap((name) => instanceType(name) ?? []);
  const parts = names.map((name) => namePattern.exec(name));
  if (infos.length < names.length || parts.some((part) => part === null)) return [];
  const categories = distinct(parts.map((part) => part?.[1] ?? ''));
  const generation = Math.min(...parts.map((part) => Number(part?.[2])));
  const cpus = distinct(infos.map(({ VCpuInfo }) => String(VCpuInfo.DefaultVCpus)));
  const arches = distinct(
    infos.flatMap(({ ProcessorInfo }) => ProcessorInfo.SupportedArchitectures.flatMap(archOf)),
  );
  const gpus = infos.map(({ GpuInfo }) => (GpuInfo?.Gpus ?? []).map(({ Count }) => String(Count)));
  // A requirement on the label would exclude types without GPUs, which lack it.
  const gpuCounts = gpus.every((counts) => counts.length > 0) ? distinct(gpus.flat()) : [];
  return [
    { key: awsLabelKeys.category, operator: 'In', values: categories },
    { key: awsLabelKeys.generation, operator: 'Gte', values: [String(generation)] },
    { key: awsLabelKeys.cpu, operator: 'In', values: cpus },
    { key: labelKeys.architecture, operator: 'In', values: arches },
    ...(gpuCounts.length === 0
      ? []
      : [{ key: awsLabelKeys.gpuCount, operator: 'In' as const, values: gpuCounts }]),
  ];
}

function archOf(architecture: string): readonly string[] {
  if (architecture === 'arm64') return ['arm64'];
  return architecture === 'x86_64' ? ['amd64'] : [];
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}

function selectorRequirements(
  { vcpus, memoryMiB, gpus, architecture }: SourceGroup['selector'],
  findings: FindingList,
): readonly PoolRequirement[] {
  const wanted: readonly (readonly [string, string, number | string | undefined])[] = [
    ['vCPUs', awsLabelKeys.cpu, vcpus],
    ['memory', awsLabelKeys.memory, memoryMiB],
    ['gpus', awsLabelKeys.gpuCount, gpus === 0 ? undefined : gpus],
    ['cpuArchitecture', labelKeys.architecture, architecture],
  ];
  const requirements: PoolRequirement[] = [];
  for (const [field, key, value] of wanted) {
    if (value === undefined) continue;
    findings.mapped(`instanceSelector.${field}: ${value}`, `requirement on ${key}`);
    requirements.push({ key, operator: 'In', values: [String(value)] });
  }
  if (gpus === 0) requirements.push({ key: awsLabelKeys.gpuCount, operator: 'DoesNotExist' });
  if (requirements.length > 0) return requirements;
  findings.approximate(
    'no instance types',
    'requirement on category c, m and r of generation 3 and later, as most clusters use',
  );
  return [
    { key: awsLabelKeys.category, operator: 'In', values: ['c', 'm', 'r'] },
    { key: awsLabelKeys.generation, operator: 'Gte', values: ['3'] },
  ];
}
