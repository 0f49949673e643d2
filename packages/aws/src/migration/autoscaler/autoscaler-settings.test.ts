import { describe, expect, it } from 'vitest';
import { flagsOf, isClusterAutoscaler, parseFlags } from './autoscaler-flags.ts';
import { type AutoscalerSettings, autoscalerSettings } from './autoscaler-settings.ts';

const from = (...flags: readonly string[]) => autoscalerSettings(parseFlags(flags));

/** One row of the table of settings: a flag, its verdict, and what the NodePools get. */
type Row = readonly [string, string, (settings: AutoscalerSettings) => unknown, unknown];

const disruption = ({ disruption: found }: AutoscalerSettings) => found;
const rows: readonly Row[] = [
  ['--expander=priority', 'mapped', ({ usesPriorities }) => usesPriorities, true],
  ['--expander=price', 'mapped', ({ usesPriorities }) => usesPriorities, false],
  ['--expander=least-waste', 'mapped', ({ usesPriorities }) => usesPriorities, false],
  ['--expander=random', 'approximate', ({ usesPriorities }) => usesPriorities, false],
  ['--scale-down-unneeded-time=5m', 'mapped', (found) => disruption(found).consolidateAfter, '5m'],
  ['--scale-down-delay-after-add=3m', 'approximate', (found) => disruption(found).consolidateAfter, '10m'],
  [
    '--scale-down-utilization-threshold=0.7',
    'approximate',
    (found) => disruption(found).consolidationPolicy,
    'Balanced',
  ],
  [
    '--max-graceful-termination-sec=1200',
    'approximate',
    ({ terminationGracePeriod }) => terminationGracePeriod,
    '1200s',
  ],
  ['--balance-similar-node-groups', 'unmapped', ({ limits }) => limits, {}],
  ['--cores-total=0:320', 'approximate', ({ limits }) => limits, { cpu: '320' }],
  ['--memory-total=0:640', 'approximate', ({ limits }) => limits, { memory: '640G' }],
  ['--max-nodes-total=50', 'approximate', ({ limits }) => limits, { nodes: '50' }],
  ['--skip-nodes-with-system-pods=true', 'unmapped', ({ limits }) => limits, {}],
  ['--skip-nodes-with-local-storage=false', 'unmapped', ({ limits }) => limits, {}],
  ['--expendable-pods-priority-cutoff=-10', 'unmapped', ({ limits }) => limits, {}],
  ['--new-pod-scale-up-delay=10s', 'approximate', ({ limits }) => limits, {}],
  [
    '--startup-taint=cni',
    'approximate',
    ({ startupTaints }) => startupTaints,
    [{ key: 'cni', effect: 'NoSchedule' }],
  ],
  [
    '--ignore-taint=cni',
    'approximate',
    ({ startupTaints }) => startupTaints,
    [{ key: 'cni', effect: 'NoSchedule' }],
  ],
  ['--scan-interval=10s', 'not-needed', ({ limits }) => limits, {}],
  ['--max-node-provision-time=15m', 'unmapped', ({ limits }) => limits, {}],
  ['--v=4', 'not-needed', ({ limits }) => limits, {}],
  ['--no-such-flag=1', 'unmapped', ({ limits }) => limits, {}],
];

describe('settings of Cluster Autoscaler', () => {
  it.each(rows)('%s is %s', (flag, verdict, read, expected) => {
    const settings = from(flag);
    expect(settings.findings.map((finding) => finding.verdict)).toContain(verdict);
    expect(read(settings)).toEqual(expected);
  });

  it('have the defaults of Cluster Autoscaler where a flag is absent', () => {
    expect(from().disruption).toEqual({
      consolidateAfter: '10m',
      consolidationPolicy: 'WhenEmptyOrUnderutilized',
      budgets: [
        { nodes: '10', reasons: ['Empty'] },
        { nodes: '1', reasons: ['Underutilized', 'Drifted'] },
      ],
    });
    expect(from().terminationGracePeriod).toBeUndefined();
  });

  it('map parallelism to budgets', () => {
    expect(from('--max-scale-down-parallelism=20', '--max-drain-parallelism=4').disruption.budgets).toEqual([
      { nodes: '20', reasons: ['Empty'] },
      { nodes: '4', reasons: ['Underutilized', 'Drifted'] },
    ]);
  });

  it.each([
    [['--scale-down-enabled=false', '--scale-down-unneeded-time=5m']],
    [['--scale-down-utilization-threshold=0.7', '--scale-down-enabled=false']],
  ])('turn consolidation off in any order of flags: %j', (flags) => {
    const { consolidateAfter, consolidationPolicy } = from(...flags).disruption;
    expect([consolidateAfter, consolidationPolicy]).toEqual(['Never', 'WhenEmpty']);
  });

  it('report the minimum of a total as unmapped', () => {
    const { findings } = from('--cores-total=8:320');
    expect(findings.map(({ verdict }) => verdict)).toEqual(['approximate', 'unmapped']);
  });
});

describe('the flags of a Deployment', () => {
  const deployment = (container: object) => ({
    metadata: { name: 'ca', namespace: 'kube-system' },
    spec: { selector: {}, template: { spec: { containers: [{ name: 'ca', ...container }] } } },
  });

  it('come from command and args, joined or apart', () => {
    const flags = flagsOf(
      deployment({
        command: ['./cluster-autoscaler', '--v=4'],
        args: ['--expander', 'price', '--leader-elect'],
      }),
    );
    expect([...flags]).toEqual([
      ['v', ['4']],
      ['expander', ['price']],
      ['leader-elect', ['true']],
    ]);
  });

  it.each([
    [{ image: 'registry.k8s.io/autoscaling/cluster-autoscaler:v1.33.0' }, true],
    [{ image: 'mirror/ca@sha256:1', command: ['./cluster-autoscaler'] }, true],
    [{ image: 'registry.k8s.io/cpa/cluster-proportional-autoscaler:v1.8.9' }, false],
  ])('are looked for where Cluster Autoscaler runs: %j is %s', (container, expected) => {
    expect(isClusterAutoscaler(deployment(container))).toBe(expected);
  });
});
