import { capacityTypes, labelKeys } from '../../api/index.ts';
import type { InstanceType, Offering } from '../../ports/index.ts';
import { compareQuantities, parseQuantity } from '../../values/index.ts';
import { accepts } from '../acceptance.ts';
import type { LintFinding } from '../finding.ts';
import { type LintedPool, type LintInput, poolSubject, workloadText } from '../lint-input.ts';
import { poolFinding } from '../pool-rule-texts.ts';

const requirementsField = 'spec.template.spec.requirements';
/** As many as Karpenter needs to replace a spot node by a cheaper one. */
const enoughSpotTypes = 15;

export function noTypes(pool: LintedPool): readonly LintFinding[] {
  if (pool.types.length > 0 || !pool.hasKnownTypes) return [];
  return [
    poolFinding(
      'KL015',
      { object: poolSubject(pool), field: requirementsField },
      {
        reason: 'no instance type of the region meets the requirements',
        fix: 'drop or widen a requirement; karpenter instance-types --nodepool says which one excludes them',
      },
    ),
  ];
}

export function fewSpotTypes(pool: LintedPool): readonly LintFinding[] {
  const isSpot = (offering: Offering) => labelOf(offering, labelKeys.capacityType) === capacityTypes.spot;
  const count = pool.types.filter(({ offerings }) => offerings.some(isSpot)).length;
  if (count === 0 || count >= enoughSpotTypes) return [];
  return [
    poolFinding(
      'KL001',
      { object: poolSubject(pool), field: requirementsField },
      {
        reason: `spot instances may be of only ${count} ${count === 1 ? 'type' : 'types'}, so that launches fail and interruptions come more often`,
        fix: `allow at least ${enoughSpotTypes} types: more families, sizes, generations or architectures`,
      },
    ),
  ];
}

export function oneZone(pool: LintedPool): readonly LintFinding[] {
  const zones = new Set(
    pool.types.flatMap(({ offerings }) => offerings.flatMap((each) => labelOf(each, labelKeys.zone) ?? [])),
  );
  const [zone] = zones;
  if (zone === undefined || zones.size > 1) return [];
  return [
    poolFinding(
      'KL002',
      { object: poolSubject(pool), field: requirementsField },
      {
        reason: `all nodes are in zone ${zone}, so that a failure or shortage there stops its workloads`,
        fix: 'allow more zones in the requirements, or give the EC2NodeClass subnets in more zones',
      },
    ),
  ];
}

const wholeCore = parseQuantity('1');

export function burstableTypes(pool: LintedPool, input: LintInput): readonly LintFinding[] {
  const burstable = pool.types.filter(({ burst }) => burst !== undefined);
  if (burstable.length === 0) return [];
  const [first, ...others] = input.workloads.filter(
    (workload) => compareQuantities(workload.cpu, wholeCore) >= 0 && accepts(pool, workload, input),
  );
  if (first === undefined) return [];
  const names =
    others.length > 0
      ? `${workloadText(first)} and ${others.length} more request`
      : `${workloadText(first)} requests`;
  return [
    poolFinding(
      'KL003',
      { object: poolSubject(pool), field: requirementsField },
      {
        reason: `it allows ${burstable.length} burstable ${burstable.length === 1 ? 'type' : 'types'} such as ${burstable[0]?.name}, and ${names} whole cores`,
        fix: 'exclude burstable types, on AWS with karpenter.k8s.aws/instance-category NotIn [t]',
      },
    ),
  ];
}

/** A limit below the smallest node, resource by resource. */
export function smallLimits(pool: LintedPool): readonly LintFinding[] {
  const { limits = {} } = pool.nodePool.spec;
  return Object.entries(limits).flatMap(([resource, limit]) => {
    const least = smallestCapacity(pool.types, resource);
    if (least === undefined || compareQuantities(parseQuantity(String(limit)), parseQuantity(least)) >= 0)
      return [];
    return [
      poolFinding(
        'KL008',
        { object: poolSubject(pool), field: `spec.limits.${resource}` },
        {
          reason: `the limit of ${limit} ${resource} is below the smallest node of the pool, which has ${least}`,
          fix: `raise the limit to ${least} or more, or allow smaller types`,
        },
      ),
    ];
  });
}

/** Undefined for a resource that some types do not have: they count as nothing towards the limit. */
function smallestCapacity(types: readonly InstanceType[], resource: string): string | undefined {
  if (resource === 'nodes') return '1';
  const amounts = types.flatMap(({ capacity }) =>
    capacity[resource] === undefined ? [] : [String(capacity[resource])],
  );
  if (amounts.length < types.length) return undefined;
  const [least] = amounts.toSorted((a, b) => compareQuantities(parseQuantity(a), parseQuantity(b)));
  return least;
}

function labelOf({ requirements }: Offering, key: string): string | undefined {
  return requirements.find((item) => item.key === key)?.values?.[0];
}
