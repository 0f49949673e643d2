import { Requirements } from '../../requirements/index.ts';
import { formatTaint, type Taint, tolerates } from '../../values/index.ts';
import { poolRequirements } from '../acceptance.ts';
import type { LintFinding } from '../finding.ts';
import { type LintedPool, type LintInput, poolSubject } from '../lint-input.ts';
import { poolFinding } from '../pool-rule-texts.ts';

/** One finding for each pool that overlaps with pools before it, so that each pair is named once. */
export function overlappingPools({ pools, vocabulary }: LintInput): readonly LintFinding[] {
  const dynamic = pools
    .filter(({ nodePool }) => nodePool.spec.replicas === undefined)
    .map((pool) => ({ ...pool, required: Requirements.fromItems(vocabulary, withoutName(pool)) }));
  return dynamic.flatMap((pool, index) => {
    const others = dynamic.slice(0, index).filter((other) => overlap(pool, other));
    if (others.length === 0) return [];
    const names = others.map(({ nodePool }) => nodePool.metadata.name).join(', ');
    return [
      poolFinding(
        'KL009',
        { object: poolSubject(pool), field: 'spec.weight' },
        {
          reason: `pods may go to it or to ${others.length === 1 ? 'NodePool' : 'NodePools'} ${names}, and ${weightText(pool)}`,
          fix: 'give the preferred pool a higher weight, or keep the pools apart by requirements, labels or taints',
        },
      ),
    ];
  });
}

interface ComparedPool extends LintedPool {
  readonly required: Requirements;
}

function withoutName({ nodePool }: LintedPool) {
  return poolRequirements(nodePool).filter(({ key }) => key !== 'karpenter.sh/nodepool');
}

function weightText({ nodePool }: LintedPool): string {
  const { weight } = nodePool.spec;
  return weight === undefined ? 'neither has a weight' : `both have weight ${weight}`;
}

function overlap(a: ComparedPool, b: ComparedPool): boolean {
  const isEqual = (a.nodePool.spec.weight ?? 0) === (b.nodePool.spec.weight ?? 0);
  if (!isEqual || !sameTaints(a, b) || !a.required.intersects(b.required)) return false;
  const names = new Set(a.types.map(({ name }) => name));
  return b.types.some(({ name }) => names.has(name));
}

/** Pools with different taints are for different pods. */
function sameTaints(a: LintedPool, b: LintedPool): boolean {
  return JSON.stringify(taintTexts(a)) === JSON.stringify(taintTexts(b));
}

function taintTexts({ nodePool }: LintedPool): readonly string[] {
  return hardTaints(nodePool.spec.template.spec.taints ?? [])
    .map(formatTaint)
    .sort();
}

function hardTaints(taints: readonly Taint[]): readonly Taint[] {
  return taints.filter(({ effect }) => effect !== 'PreferNoSchedule');
}

export function untoleratedTaints(pool: LintedPool, { workloads }: LintInput): readonly LintFinding[] {
  // DaemonSets tolerate many taints and need no node of their own.
  const asking = workloads.filter(({ kind }) => kind !== 'DaemonSet');
  if (asking.length === 0) return [];
  const taints = pool.nodePool.spec.template.spec.taints ?? [];
  return taints.flatMap((taint, index) => {
    const isTolerated = asking.some(({ spec }) => spec.tolerations?.some((each) => tolerates(each, taint)));
    if (isTolerated || hardTaints([taint]).length === 0) return [];
    return [
      poolFinding(
        'KL011',
        { object: poolSubject(pool), field: `spec.template.spec.taints[${index}]` },
        {
          reason: `none of ${asking.length} given ${asking.length === 1 ? 'workload' : 'workloads'} tolerates ${formatTaint(taint)}, so that the pool makes no node for them`,
          fix: 'add a toleration to the workloads that the pool is for, or remove the taint',
        },
      ),
    ];
  });
}

export function missingClass(pool: LintedPool): readonly LintFinding[] {
  if (pool.hasClass !== false) return [];
  const { kind, name } = pool.nodePool.spec.template.spec.nodeClassRef;
  return [
    poolFinding(
      'KL012',
      { object: poolSubject(pool), field: 'spec.template.spec.nodeClassRef.name' },
      {
        reason: `${kind} ${name} is not among the given classes`,
        fix: 'correct the name, or give the file of the class too',
      },
    ),
  ];
}

export function missingLimits(pool: LintedPool): readonly LintFinding[] {
  const { limits, replicas } = pool.nodePool.spec;
  if (replicas !== undefined || Object.keys(limits ?? {}).length > 0) return [];
  return [
    poolFinding(
      'KL013',
      { object: poolSubject(pool), field: 'spec.limits' },
      {
        reason: 'nothing limits how many nodes the pool makes',
        fix: 'set spec.limits.cpu to the most that the pool may ever need',
      },
    ),
  ];
}
