import {
  type AutoscalerSettings,
  annotationFindings,
  autoscalerSettings,
  flagsOf,
  groupWeights,
  isClusterAutoscaler,
  type MappedGroup,
  type MigrationFinding,
  mapGroup,
  parseFlags,
  prioritiesConfigMap,
  prioritiesKey,
  readEksctlFile,
  readGroups,
  type SourceGroup,
} from '@karpenter/aws/migration';
import type { AwsServices } from '@karpenter/aws/ports';
import { CodedError } from '@karpenter/core/errors';
import { type KubeReader, kinds } from '@karpenter/kube/client';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { InputFile } from '../simulate/index.ts';

/** Where the old setup is read from. */
export interface MigrationInputs {
  readonly clusterName: string;
  readonly client: KubeReader;
  readonly services: AwsServices;
  /** An eksctl file, which replaces the groups of the account. */
  readonly file?: InputFile | undefined;
  /** `namespace/name` of the Deployment; found by its program if absent. */
  readonly autoscaler?: string | undefined;
  /** Only these groups; all if empty. */
  readonly onlyGroups: readonly string[];
  readonly widen: boolean;
}

/** The old setup and what it becomes. */
export interface MigrationSource {
  readonly clusterName: string;
  readonly groups: readonly SourceGroup[];
  readonly mapped: readonly MappedGroup[];
  readonly autoscaler: Deployment | undefined;
  readonly findings: readonly MigrationFinding[];
}

/** Reads groups, Cluster Autoscaler and annotations. Writes nothing. */
export async function readSource(inputs: MigrationInputs): Promise<MigrationSource> {
  const { client, widen } = inputs;
  const { clusterName, groups } = await sourceGroups(inputs);
  const autoscaler = await findAutoscaler(client, inputs.autoscaler);
  const settings = autoscalerSettings(autoscaler === undefined ? parseFlags([]) : flagsOf(autoscaler));
  const weights = await weightsOf(client, { settings, groups, autoscaler });
  const mapped = groups.map((group) => mapGroup(group, { clusterName, settings, weights, widen }));
  checkNames(mapped);
  const pods = await client.list(kinds.pod);
  const nodes = await client.list(kinds.node);
  return {
    clusterName,
    groups,
    mapped,
    autoscaler,
    findings: [
      ...mapped.flatMap(({ findings }) => findings),
      ...settings.findings,
      ...annotationFindings(pods.items, nodes.items),
    ],
  };
}

/** Names of groups may differ in what Kubernetes does not take in names. */
function checkNames(mapped: readonly MappedGroup[]): void {
  const owners = new Map<string, string>();
  for (const { group, nodePools } of mapped) {
    for (const { metadata } of nodePools) {
      const other = owners.get(metadata.name);
      owners.set(metadata.name, group.name);
      if (other === undefined) continue;
      throw new CodedError(
        'invalid-object',
        `groups ${other} and ${group.name} would both become NodePool ${metadata.name}; migrate them one after another with --group`,
      );
    }
  }
}

async function sourceGroups(
  inputs: MigrationInputs,
): Promise<{ readonly clusterName: string; readonly groups: readonly SourceGroup[] }> {
  const { clusterName, services, file, onlyGroups } = inputs;
  const read =
    file === undefined
      ? { clusterName, groups: await readGroups({ services, clusterName }) }
      : readEksctlFile(file.name, file.text);
  if (read.clusterName !== clusterName)
    throw new CodedError(
      'other-cluster',
      `${file?.name} describes cluster ${read.clusterName}, not ${clusterName}; give the other file or another --cluster-name`,
    );
  const names = read.groups.map(({ name }) => name);
  const unknown = onlyGroups.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new CodedError(
      'unknown-object',
      `cluster ${clusterName} has no node group ${unknown}; it has ${names.join(', ') || 'none'}`,
    );
  const groups = read.groups.filter(({ name }) => onlyGroups.length === 0 || onlyGroups.includes(name));
  if (groups.length === 0)
    throw new CodedError(
      'unknown-object',
      `cluster ${clusterName} has no node group that carries its tags; check --cluster-name and --region`,
    );
  return { clusterName, groups };
}

async function findAutoscaler(
  client: KubeReader,
  wanted: string | undefined,
): Promise<Deployment | undefined> {
  if (wanted === undefined) {
    const { items } = await client.list(kinds.deployment);
    return items.find(isClusterAutoscaler);
  }
  const [namespace = '', name = ''] = wanted.split('/');
  const found = await client.find(kinds.deployment, { namespace, name });
  if (found !== undefined) return found;
  throw new CodedError(
    'unknown-object',
    `there is no Deployment ${wanted}; name the one of Cluster Autoscaler as --autoscaler NAMESPACE/NAME`,
  );
}

interface WeightSources {
  readonly settings: AutoscalerSettings;
  readonly groups: readonly SourceGroup[];
  readonly autoscaler: Deployment | undefined;
}

/** Patterns of priorities are about the names of Auto Scaling groups. */
async function weightsOf(
  client: KubeReader,
  { settings, groups, autoscaler }: WeightSources,
): Promise<ReadonlyMap<string, number>> {
  if (!settings.usesPriorities) return new Map();
  const namespace = autoscaler?.metadata?.namespace ?? 'kube-system';
  const map = await client.find(kinds.configMap, { namespace, name: prioritiesConfigMap });
  const named = new Map(groups.map(({ name, autoScalingGroup = name }) => [autoScalingGroup, name]));
  const weights = groupWeights(map?.data?.[prioritiesKey] ?? '', [...named.keys()]);
  return new Map([...weights].map(([group, weight]) => [named.get(group) ?? group, weight]));
}
