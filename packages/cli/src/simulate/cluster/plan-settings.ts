import { planOptions } from '@karpenter/controllers/planning';
import { type CoreSettings, coreSettings, parseSettings } from '@karpenter/core/api';
import type { PlanOptions } from '@karpenter/core/scheduling';
import { awsVocabulary } from '../../label-vocabulary.ts';
import type { Policies, SimulationClock } from '../simulation.ts';

/** A dry run applies overlays and buffers regardless of feature gates: who hands them in wants to see their effect. */
const gates = '--feature-gates=NodeOverlay=true,CapacityBuffer=true';

/**
 * A dry run plans for the pods it is given: workloads in manifests are expanded to all of their pods, so that
 * pods which a ReplicaSet has yet to create would count twice.
 */
const noUpcomingPods = '--plan-upcoming-pods=false';

/** The settings with which the controller would make the same plan. */
export function planSettings(policies: Policies): CoreSettings {
  return { ...parseSettings(coreSettings, [gates, noUpcomingPods], {}).settings, ...policies };
}

/** The plan options of the provisioner. Treats `labels` as well known in addition to those of AWS. */
export function dryRunOptions(
  policies: Policies,
  clock: Pick<SimulationClock, 'now'>,
  labels: Iterable<string> = [],
): PlanOptions {
  const wellKnownLabels = new Set([...awsVocabulary.wellKnownLabels, ...labels]);
  const vocabulary = { ...awsVocabulary, wellKnownLabels };
  return planOptions({ settings: planSettings(policies), vocabulary, clock }, 'strict');
}
