import { planOptions } from '@karpenter/controllers/planning';
import { type CoreSettings, coreSettings, parseSettings } from '@karpenter/core/api';
import type { PlanOptions } from '@karpenter/core/scheduling';
import { awsVocabulary } from '../../label-vocabulary.ts';
import type { Clock, Policies } from '../simulation.ts';

/** Overlays and buffers count in a dry run as if their feature gates were on. */
const gates = '--feature-gates=NodeOverlay=true,CapacityBuffer=true';

/** The settings of a controller that would make the same plan. */
export function planSettings(policies: Policies): CoreSettings {
  return { ...parseSettings(coreSettings, [gates], {}).settings, ...policies };
}

/** The options with which the provisioner plans. `labels` are well known besides those of AWS. */
export function dryRunOptions(
  policies: Policies,
  clock: Pick<Clock, 'now'>,
  labels: Iterable<string> = [],
): PlanOptions {
  const wellKnownLabels = new Set([...awsVocabulary.wellKnownLabels, ...labels]);
  const vocabulary = { ...awsVocabulary, wellKnownLabels };
  return planOptions({ settings: planSettings(policies), vocabulary, clock }, 'strict');
}
