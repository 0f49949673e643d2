import { compileLabelSelector } from '../../values/index.ts';
import type { LintFinding } from '../finding.ts';
import type { LintedBudget, LintInput } from '../lint-input.ts';
import { poolFinding } from '../pool-rule-texts.ts';

export function blockingPodBudgets({ budgets, workloads }: LintInput): readonly LintFinding[] {
  return budgets.flatMap((budget) => {
    const pods = podsOf(budget, workloads);
    const field = blockingField(budget, pods);
    if (field === undefined) return [];
    const object = `PodDisruptionBudget ${budget.namespace}/${budget.name}`;
    const ofPods = pods === undefined ? '' : ` of ${pods} ${pods === 1 ? 'pod' : 'pods'}`;
    return [
      poolFinding(
        'KL014',
        { object, field: `spec.${field}` },
        {
          reason: `${field} ${budget[field]}${ofPods} allows no eviction, so that nodes with its pods cannot be drained`,
          fix: 'allow at least one pod to be away, and run more replicas than must be available',
        },
      ),
    ];
  });
}

type BudgetField = 'minAvailable' | 'maxUnavailable';

function blockingField(
  { minAvailable, maxUnavailable }: LintedBudget,
  pods: number | undefined,
): BudgetField | undefined {
  if (maxUnavailable !== undefined)
    return amountOf(maxUnavailable, pods) === 0 ? 'maxUnavailable' : undefined;
  if (minAvailable === undefined) return undefined;
  if (minAvailable === '100%') return 'minAvailable';
  const wanted = amountOf(minAvailable, pods);
  return pods !== undefined && wanted !== undefined && wanted >= pods ? 'minAvailable' : undefined;
}

/** Percentages of pods round up, as in Kubernetes; undefined if it depends on an unknown number. */
function amountOf(value: number | string, pods: number | undefined): number | undefined {
  if (typeof value === 'number') return value;
  const percent = Number(value.replace(/%$/, ''));
  if (!value.endsWith('%') || percent === 0) return percent;
  return pods === undefined ? undefined : Math.ceil((pods * percent) / 100);
}

/** Undefined if none of the given workloads is selected. */
function podsOf(
  { selector, namespace }: LintedBudget,
  workloads: LintInput['workloads'],
): number | undefined {
  const isSelected = compileLabelSelector(selector ?? {}, 'spec.selector');
  const own = workloads.filter(
    (workload) =>
      workload.kind !== 'DaemonSet' && workload.namespace === namespace && isSelected(workload.labels),
  );
  return own.length === 0 ? undefined : own.reduce((sum, { replicas }) => sum + replicas, 0);
}
