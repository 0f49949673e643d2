import { labelKeys, type NodeClaim } from '../api/index.ts';
import type { Labels } from '../values/index.ts';
import type { LaunchDecision } from './decision.ts';
import { shortText } from './decision-bounds.ts';
import type { DecisionDraft } from './decision-recorder.ts';
import { hourlyText } from './words.ts';

type LaunchDraft = DecisionDraft & { readonly kind: 'launch' };

export interface LaunchedInstance {
  readonly labels: Labels;
  /** Undefined if unknown. */
  readonly hourly: number | undefined;
}

export function launchDecision(claim: NodeClaim, { labels, hourly }: LaunchedInstance): LaunchDraft {
  const instanceType = labels[labelKeys.instanceType];
  const zone = labels[labelKeys.zone];
  const capacityType = labels[labelKeys.capacityType];
  const what = [capacityType, instanceType].filter((part) => part !== undefined).join(' ');
  const where = zone === undefined ? '' : ` in ${zone}`;
  const price = hourly === undefined ? '' : ` (${hourlyText(hourly)})`;
  return {
    kind: 'launch',
    summary: `NodeClaim ${claim.metadata.name} is launched as ${what}${where}${price}`,
    ...claimFacts(claim),
    ...(instanceType !== undefined && { instanceType }),
    ...(zone !== undefined && { zone }),
    ...(capacityType !== undefined && { capacityType }),
    ...(hourly !== undefined && { hourly }),
  };
}

export function failedLaunchDecision(claim: NodeClaim, failure: string): LaunchDraft {
  return {
    kind: 'launch',
    summary: shortText(`NodeClaim ${claim.metadata.name} could not be launched: ${failure}`),
    ...claimFacts(claim),
    failure: shortText(failure),
  };
}

function claimFacts({ metadata }: NodeClaim): Pick<LaunchDecision, 'nodeClaim' | 'nodePool'> {
  const nodePool = metadata.labels?.[labelKeys.nodePool];
  return { nodeClaim: metadata.name, ...(nodePool !== undefined && { nodePool }) };
}
