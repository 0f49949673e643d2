import { awsLabelKeys, awsLabelPolicy, type EC2NodeClass, type ReadClass } from '@karpenter/aws';
import { lintNodeClasses } from '@karpenter/aws/lint';
import { labelKeys, type NodePool } from '@karpenter/core/api';
import { type LintedPool, type LintFinding, lintPools } from '@karpenter/core/lint';
import { coreLabelAliases, Vocabulary } from '@karpenter/core/requirements';
import { zones as zonesOf } from '@karpenter/ec2-catalogue';
import { allowedBy, defaultNodeClass, defaultSettings, inZones, typeList } from '../instance-types/index.ts';
import { type ClusterPlace, clusterPlace, regionOfZone } from '../region/index.ts';
import {
  admittedEc2NodeClass,
  admittedNodePool,
  checkManifests,
  type InputFile,
  type NamedManifest,
  type ObjectCheck,
  placedManifest,
} from '../simulate/index.ts';
import { lintedManifests } from './linted-manifests.ts';
import { lintedBudget, lintedWorkload } from './linted-workloads.ts';

export interface LintOptions {
  readonly region?: string | undefined;
  readonly isProduction: boolean;
  /** Milliseconds since 1970, from which windows of budgets are looked at. */
  readonly now: number;
  readonly objectCheck: ObjectCheck;
}

/** Findings about the objects of files, in the order of NodePools, then of EC2NodeClasses. Throws on invalid objects. */
export function lintFiles(files: readonly InputFile[], options: LintOptions): readonly LintFinding[] {
  const manifests = lintedManifests(files);
  const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
  const pools = ofKind('NodePool').map(({ object, origin }) => admittedNodePool(object, origin));
  const classes = ofKind('EC2NodeClass').map(({ object, origin }) => admittedEc2NodeClass(object, origin));
  const others = manifests.filter(({ kind }) => kind !== 'NodePool' && kind !== 'EC2NodeClass');
  checkManifests(others, options.objectCheck);
  const place = clusterPlace(manifests.map(placedManifest), options.region);
  const vocabulary = new Vocabulary({ ...coreLabelAliases, keys: awsLabelPolicy.aliases });
  const findings = lintPools({
    pools: lintedPools(pools, classes, place),
    workloads: workloadsOf(others).map(lintedWorkload),
    budgets: ofKind('PodDisruptionBudget').map(lintedBudget),
    vocabulary,
    wellKnown: vocabulary.keySet(awsLabelPolicy.wellKnown),
    at: options.now,
  });
  return [...findings, ...lintNodeClasses(classes, options)];
}

function workloadsOf(manifests: readonly NamedManifest[]): readonly NamedManifest[] {
  return manifests.filter(({ kind }) => kind !== 'PodDisruptionBudget');
}

/** Each pool with the types of its class; pools of one class share the list that is filtered. */
function lintedPools(
  pools: readonly NodePool[],
  classes: readonly EC2NodeClass[],
  place: ClusterPlace,
): readonly LintedPool[] {
  const byName = new Map(classes.map((nodeClass) => [nodeClass.metadata.name, nodeClass]));
  const typesOf = new Map<ReadClass, ReturnType<typeof typeList>>();
  return pools.map((nodePool) => {
    const nodeClass = byName.get(nodePool.spec.template.spec.nodeClassRef.name);
    const used = nodeClass ?? usualClass(nodePool);
    const types = typesOf.get(used) ?? availableTypes(used, place);
    typesOf.set(used, types);
    return {
      nodePool,
      types: allowedBy(nodePool, types),
      hasKnownTypes: isDecidable(nodePool),
      hasClass: classes.length === 0 ? undefined : nodeClass !== undefined,
    };
  });
}

const windowsClass: ReadClass = { spec: { amiSelectorTerms: [{ alias: 'windows2022@latest' }] } };

/** In place of a class that is not among the files: it has the operating system that the pool requires. */
function usualClass({ spec }: NodePool): ReadClass {
  const isWindows = spec.template.spec.requirements.some(
    ({ key, values = [] }) => key === labelKeys.operatingSystem && values.includes('windows'),
  );
  return isWindows ? windowsClass : defaultNodeClass;
}

/** Keys of which only the account knows the values. */
const accountKeys: ReadonlySet<string> = new Set([
  awsLabelKeys.capacityReservationId,
  awsLabelKeys.placementGroupId,
  awsLabelKeys.zoneId,
]);

/** Whether files alone say which types a pool has: not so for reservations, and for zones outside the catalogue. */
function isDecidable({ spec }: NodePool): boolean {
  return spec.template.spec.requirements.every(({ key, operator, values = [] }) => {
    if (operator === 'In' && key === labelKeys.capacityType)
      return values.some((value) => value !== 'reserved');
    if (operator === 'In' && key === labelKeys.zone) return values.some((zone) => isListedZone(zone));
    return !accountKeys.has(key);
  });
}

function isListedZone(zone: string): boolean {
  const region = regionOfZone(zone);
  return region !== undefined && zonesOf(region).some(({ name }) => name === zone);
}

function availableTypes(nodeClass: ReadClass, { region, zones }: ClusterPlace) {
  const found = nodeClass.status?.subnets ?? [];
  const placed = found.length > 0 ? nodeClass : inZones(nodeClass, zones);
  return typeList({ nodeClass: placed, region, settings: defaultSettings })
    .map((type) => ({ ...type, offerings: type.offerings.filter(({ available }) => available) }))
    .filter(({ offerings }) => offerings.length > 0);
}
