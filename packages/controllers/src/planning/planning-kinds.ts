import type { CoreSettings, DefaultSpreadConstraint } from '@karpenter/core/api';
import type { Kind } from '@karpenter/kube/client';
import { stateSources } from '../cluster/index.ts';
import { bufferKinds } from './buffer-references.ts';
import { deviceKinds } from './claimed-devices.ts';
import { spreadKinds } from './spread-sources.ts';
import { upcomingKinds } from './upcoming-workloads.ts';

export interface PlanningKindsContext {
  readonly settings: Pick<CoreSettings, 'featureGates' | 'ignoreDraRequests' | 'planUpcomingPods'>;
  readonly defaultSpread: readonly DefaultSpreadConstraint[];
}

/**
 * The kinds that plans read besides those of the cluster state. Plans must request only these from the caches: the
 * process may lack permission to list others, and their CRDs may not be installed.
 */
export function companionKinds(context: PlanningKindsContext): readonly Kind[] {
  const kinds = [...requiredKinds(context), ...(context.settings.planUpcomingPods ? upcomingKinds : [])];
  return [...new Map(kinds.map((kind) => [nameOf(kind), kind])).values()];
}

function requiredKinds({ settings, defaultSpread }: PlanningKindsContext): readonly Kind[] {
  return [
    ...(defaultSpread.length > 0 ? spreadKinds : []),
    ...(settings.featureGates.CapacityBuffer ? bufferKinds : []),
    ...(settings.ignoreDraRequests ? [] : deviceKinds),
  ];
}

/** Whether plans can do without the kind: it only makes nodes larger for pods that workloads are about to create. */
export function isOptionalKind(kind: Kind, context: PlanningKindsContext): boolean {
  const isSame = (other: Kind) => nameOf(other) === nameOf(kind);
  return upcomingKinds.some(isSame) && !requiredKinds(context).some(isSame);
}

const nameOf = ({ group, kind }: Kind) => `${group}/${kind}`;

/** Every kind that a plan can read, whatever the settings. */
export const planningKinds: readonly Kind[] = [
  ...new Map(
    [
      ...(Object.values(stateSources) as readonly Kind[]),
      ...spreadKinds,
      ...bufferKinds,
      ...deviceKinds,
      ...upcomingKinds,
    ].map((kind) => [nameOf(kind), kind]),
  ).values(),
];
