import type { NodePool } from '@karpenter/core/api';
import { FindingList, type MigrationFinding } from '../finding.ts';
import type { GroupTaint } from '../source/source-group.ts';
import type { AutoscalerFlags } from './autoscaler-flags.ts';
import { irrelevantFlags, unmappedFlags } from './flag-tables.ts';
import { poolDuration } from './pool-duration.ts';

type Disruption = NonNullable<NodePool['spec']['disruption']>;

/** The fields of every NodePool that replace the flags of Cluster Autoscaler. */
export interface AutoscalerSettings {
  readonly disruption: Disruption;
  readonly terminationGracePeriod?: string;
  readonly startupTaints: readonly GroupTaint[];
  /** Limits of the whole cluster. Every NodePool gets them, because limits of Karpenter count per NodePool. */
  readonly limits: Readonly<Record<string, string>>;
  /** Whether the priority expander ranks groups. */
  readonly usesPriorities: boolean;
  readonly findings: readonly MigrationFinding[];
}

/** Defaults of Cluster Autoscaler for absent flags. */
const defaults: Readonly<Record<string, string>> = {
  'scale-down-unneeded-time': '10m',
  'max-scale-down-parallelism': '10',
  'max-drain-parallelism': '1',
};

type FlagMapping = (value: string, into: SettingsDraft, findings: FindingList) => void;

interface SettingsDraft {
  consolidateAfter: string;
  policy: Disruption['consolidationPolicy'];
  emptyNodes: string;
  drainedNodes: string;
  terminationGracePeriod?: string;
  readonly startupTaints: GroupTaint[];
  readonly limits: Record<string, string>;
  usesPriorities: boolean;
}

export function autoscalerSettings(flags: AutoscalerFlags): AutoscalerSettings {
  const findings = new FindingList('Cluster Autoscaler');
  const draft: SettingsDraft = {
    consolidateAfter: defaults['scale-down-unneeded-time'] ?? '',
    policy: 'WhenEmptyOrUnderutilized',
    emptyNodes: defaults['max-scale-down-parallelism'] ?? '',
    drainedNodes: defaults['max-drain-parallelism'] ?? '',
    startupTaints: [],
    limits: {},
    usesPriorities: false,
  };
  for (const [name, values] of flags) for (const value of values) mapFlag({ name, value }, draft, findings);
  const { consolidateAfter, policy, emptyNodes, drainedNodes, ...rest } = draft;
  return {
    ...rest,
    disruption: {
      consolidateAfter,
      consolidationPolicy: policy,
      budgets: [
        { nodes: emptyNodes, reasons: ['Empty'] },
        { nodes: drainedNodes, reasons: ['Underutilized', 'Drifted'] },
      ],
    },
    findings: findings.list,
  };
}

function mapFlag(
  { name, value }: { readonly name: string; readonly value: string },
  draft: SettingsDraft,
  findings: FindingList,
): void {
  const mapping = mappings[name];
  const setting = `--${name}=${value}`;
  if (mapping !== undefined) mapping(value, draft, findings);
  else if (irrelevantFlags.has(name)) findings.notNeeded(setting, irrelevantFlags.get(name) ?? '');
  else findings.unmapped(setting, unmappedFlags.get(name) ?? 'Karpenter has no such setting');
}

const notADuration = 'it is no duration, so the default of 10m is used';
const notANumber = 'it is no whole number, so the default is used';

const mappings: Readonly<Record<string, FlagMapping>> = {
  expander: (value, draft, findings) => {
    const names = value.split(',');
    draft.usesPriorities = names.includes('priority');
    if (draft.usesPriorities)
      findings.mapped(`--expander=${value}`, 'NodePool spec.weight, by the ConfigMap of priorities');
    else if (names.some((each) => each === 'price' || each === 'least-waste'))
      findings.mapped(`--expander=${value}`, 'the default: Karpenter packs at the lowest price');
    else
      findings.approximate(
        `--expander=${value}`,
        'Karpenter always packs at the lowest price; rank with weight',
      );
  },
  'scale-down-unneeded-time': (value, draft, findings) => {
    const duration = poolDuration(value);
    if (duration === undefined) return findings.unmapped(`--scale-down-unneeded-time=${value}`, notADuration);
    if (draft.consolidateAfter !== 'Never') draft.consolidateAfter = duration;
    findings.mapped(`--scale-down-unneeded-time=${value}`, 'NodePool spec.disruption.consolidateAfter');
  },
  'scale-down-delay-after-add': (value, _draft, findings) =>
    findings.approximate(
      `--scale-down-delay-after-add=${value}`,
      'NodePool spec.disruption.consolidateAfter is nearest; it counts from the last pod that came or went',
    ),
  'scale-down-utilization-threshold': (value, draft, findings) => {
    if (draft.policy !== 'WhenEmpty') draft.policy = 'Balanced';
    findings.approximate(
      `--scale-down-utilization-threshold=${value}`,
      'there is no threshold; NodePool spec.disruption.consolidationPolicy Balanced weighs savings against disruption',
    );
  },
  'scale-down-enabled': (value, draft, findings) => {
    if (value === 'false') Object.assign(draft, { policy: 'WhenEmpty', consolidateAfter: 'Never' });
    findings.mapped(
      `--scale-down-enabled=${value}`,
      value === 'false'
        ? 'NodePool spec.disruption: WhenEmpty with consolidateAfter Never'
        : 'the default: consolidation is on',
    );
  },
  'max-scale-down-parallelism': (value, draft, findings) => {
    if (!isCount(value)) return findings.unmapped(`--max-scale-down-parallelism=${value}`, notANumber);
    draft.emptyNodes = value;
    findings.mapped(`--max-scale-down-parallelism=${value}`, 'NodePool spec.disruption.budgets, per pool');
  },
  'max-drain-parallelism': (value, draft, findings) => {
    if (!isCount(value)) return findings.unmapped(`--max-drain-parallelism=${value}`, notANumber);
    draft.drainedNodes = value;
    findings.mapped(`--max-drain-parallelism=${value}`, 'NodePool spec.disruption.budgets, per pool');
  },
  'max-graceful-termination-sec': (value, draft, findings) => {
    if (!isCount(value)) return findings.unmapped(`--max-graceful-termination-sec=${value}`, notANumber);
    draft.terminationGracePeriod = `${value}s`;
    findings.approximate(
      `--max-graceful-termination-sec=${value}`,
      'NodePool spec.template.spec.terminationGracePeriod; after it, pods are deleted even if a PodDisruptionBudget forbids it',
    );
  },
  'balance-similar-node-groups': (value, _draft, findings) => {
    if (value === 'false') return;
    findings.unmapped(
      `--balance-similar-node-groups=${value}`,
      'Karpenter spreads pods, not groups: give workloads topologySpreadConstraints on topology.kubernetes.io/zone',
    );
  },
  'cores-total': (value, draft, findings) =>
    totalLimit({ flag: 'cores-total', resource: 'cpu', value, unit: '' }, draft, findings),
  'memory-total': (value, draft, findings) =>
    totalLimit({ flag: 'memory-total', resource: 'memory', value, unit: 'G' }, draft, findings),
  'max-nodes-total': (value, draft, findings) => {
    if (!isCount(value)) return findings.unmapped(`--max-nodes-total=${value}`, notANumber);
    if (value !== '0') draft.limits['nodes'] = value;
    findings.approximate(`--max-nodes-total=${value}`, 'NodePool spec.limits.nodes, which counts per pool');
  },
  'startup-taint': (value, draft, findings) => startupTaint('startup-taint', value, { draft, findings }),
  'ignore-taint': (value, draft, findings) => startupTaint('ignore-taint', value, { draft, findings }),
  'new-pod-scale-up-delay': (value, _draft, findings) =>
    findings.approximate(
      `--new-pod-scale-up-delay=${value}`,
      'the batch windows of the controller: --batch-idle-duration and --batch-max-duration',
    ),
};

function isCount(text: string): boolean {
  return /^\d+$/.test(text);
}

interface TotalLimit {
  readonly flag: string;
  readonly resource: string;
  readonly value: string;
  readonly unit: string;
}

/** The value is `min:max`; a minimum has no equivalent. */
function totalLimit(
  { flag, resource, value, unit }: TotalLimit,
  draft: SettingsDraft,
  findings: FindingList,
): void {
  const [min = '', max = ''] = value.split(':');
  if (isCount(max)) draft.limits[resource] = `${max}${unit}`;
  findings.approximate(`--${flag}=${value}`, `NodePool spec.limits.${resource}, which counts per pool`);
  if (Number(min) > 0)
    findings.unmapped(
      `--${flag}=${value}`,
      'a minimum has no equivalent: a CapacityBuffer or a static NodePool keeps spare nodes',
    );
}

function startupTaint(
  flag: string,
  value: string,
  { draft, findings }: { readonly draft: SettingsDraft; readonly findings: FindingList },
): void {
  if (!draft.startupTaints.some(({ key }) => key === value))
    draft.startupTaints.push({ key: value, effect: 'NoSchedule' });
  findings.approximate(
    `--${flag}=${value}`,
    'NodePool spec.template.spec.startupTaints with effect NoSchedule; change it if the node has another',
  );
}
