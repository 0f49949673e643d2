import type { LintFinding, LintRuleText } from './finding.ts';

/** Codes never change their meaning; a rule that goes away leaves its code unused. */
export const poolRuleTexts = {
  KL001: {
    severity: 'warning',
    finds: 'a NodePool that allows spot instances of fewer than 15 types',
    why: 'Few types means few capacity pools: launches fail and interruptions come more often. Spot nodes are consolidated to cheaper spot nodes only with 15 types to choose from.',
  },
  KL002: {
    severity: 'warning',
    finds: 'a NodePool whose nodes are all in one zone',
    why: 'An outage of the zone, or a shortage in it, stops every workload of the pool.',
  },
  KL003: {
    severity: 'warning',
    finds: 'burstable types in a NodePool for pods that request whole cores',
    why: 'A burstable instance gives its full CPU only for a while. Pods that use what they request are slowed down, or CPU credits cost extra.',
  },
  KL004: {
    severity: 'warning',
    finds: 'Jobs without karpenter.sh/do-not-disrupt in a NodePool that consolidates after 0s',
    why: 'A running Job is evicted and starts again, or its node is gone before the next run and every run waits for a new one.',
  },
  KL005: {
    severity: 'warning',
    finds: 'disruption budgets that never allow a disruption',
    why: 'Nodes are never consolidated or replaced after drift, so that cost and old images stay.',
  },
  KL006: {
    severity: 'warning',
    finds: 'a disruption budget whose window never opens',
    why: 'The budget limits nothing, although it was written to.',
  },
  KL007: {
    severity: 'warning',
    finds: 'nodes that live longer than the certificates of their kubelets',
    why: 'After a year without a replacement, kubelet certificates and everything else on the node are out of date; nodes that expire get patched.',
  },
  KL008: {
    severity: 'error',
    finds: 'limits of a NodePool that are below its smallest node',
    why: 'The pool can make no node.',
  },
  KL009: {
    severity: 'warning',
    finds: 'NodePools that overlap and have the same weight',
    why: 'Which of the pools a pod gets is decided by their names.',
  },
  KL011: {
    severity: 'warning',
    finds: 'a taint of a NodePool that none of the given workloads tolerates',
    why: 'The pool makes no node for any of them.',
  },
  KL012: {
    severity: 'warning',
    finds: 'a NodePool whose EC2NodeClass is not among the files that hold others',
    why: 'A NodePool without its class is not ready and makes no node.',
  },
  KL013: {
    severity: 'info',
    finds: 'a NodePool without limits',
    why: 'A workload that scales without end makes nodes without end.',
  },
  KL014: {
    severity: 'warning',
    finds: 'a PodDisruptionBudget that never allows an eviction',
    why: 'Nodes with its pods cannot be drained: consolidation skips them, and drift and expiry wait until terminationGracePeriod ends.',
  },
  KL015: {
    severity: 'error',
    finds: 'requirements of a NodePool that no instance type meets',
    why: 'The pool can make no node.',
  },
} as const satisfies Readonly<Record<string, LintRuleText>>;

type PoolRuleCode = keyof typeof poolRuleTexts;

/** A finding with the severity of its rule. */
export function poolFinding(
  code: PoolRuleCode,
  { object, field }: Pick<LintFinding, 'object' | 'field'>,
  { reason, fix }: Pick<LintFinding, 'reason' | 'fix'>,
): LintFinding {
  return { code, severity: poolRuleTexts[code].severity, object, field, reason, fix };
}
