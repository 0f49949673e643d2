import type { NodePool } from '@karpenter/core/api';
import type { FindingList } from '../finding.ts';
import type { SourceGroup } from '../source/source-group.ts';
import type { AutoscalerSettings } from './autoscaler-settings.ts';
import { poolDuration } from './pool-duration.ts';

type Disruption = NonNullable<NodePool['spec']['disruption']>;

const outcomes: Readonly<Record<string, string>> = {
  scaledownunreadytime: 'node repair replaces unhealthy nodes if the feature gate NodeRepair is on',
  maxnodeprovisiontime: 'fixed: 5 minutes to launch, 15 to register',
  zeroormaxnodescaling: 'Karpenter makes nodes one by one as pods need them',
  scaledowngpuutilizationthreshold: 'consolidation compares prices, not utilization',
  ignoredaemonsetsutilization: 'consolidation compares prices, not utilization',
};

/** Disruption settings of one group: those of the flags, overridden by the `autoscaling-options` tags of the group. */
export function groupDisruption(
  { autoscalerOptions }: SourceGroup,
  { disruption }: AutoscalerSettings,
  findings: FindingList,
): Disruption {
  let overridden = disruption;
  for (const [option, value] of Object.entries(autoscalerOptions)) {
    const setting = `tag autoscaling-options/${option}: ${value}`;
    if (option === 'scaledownunneededtime') {
      const consolidateAfter = poolDuration(value);
      if (consolidateAfter !== undefined && overridden.consolidateAfter !== 'Never')
        overridden = { ...overridden, consolidateAfter };
      findings.mapped(setting, 'NodePool spec.disruption.consolidateAfter');
    } else if (option === 'scaledownutilizationthreshold') {
      if (overridden.consolidationPolicy !== 'WhenEmpty')
        overridden = { ...overridden, consolidationPolicy: 'Balanced' };
      findings.approximate(setting, 'there is no threshold; consolidationPolicy Balanced is closest');
    } else findings.unmapped(setting, outcomes[option] ?? 'Karpenter has no such setting');
  }
  return overridden;
}
