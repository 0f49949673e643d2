import { labelKeys } from '@karpenter/core/api';
import type { LabelSelector } from '@karpenter/core/values';
import type { PodAffinitySpec, PodTermSpec, SpreadSpec } from '../plan-checker/index.ts';
import type { SeededRandom } from './chance.ts';
import { apps, labelRules, namespaces } from './label-choices.ts';

const topologyKeys = [
  labelKeys.zone,
  labelKeys.zone,
  labelKeys.hostname,
  labelKeys.hostname,
  labelKeys.capacityType,
] as const;

function selector(chance: SeededRandom, app: string): LabelSelector {
  if (chance.happens(0.15)) return { matchExpressions: [{ key: 'app', operator: 'Exists' }] };
  if (chance.happens(0.15)) {
    return { matchExpressions: [{ key: 'app', operator: 'NotIn', values: [chance.pick(apps)] }] };
  }
  return { matchLabels: { app: chance.happens(0.7) ? app : chance.pick(apps) } };
}

function podTerm(chance: SeededRandom, app: string): PodTermSpec {
  return {
    topologyKey: chance.pick(topologyKeys),
    labelSelector: selector(chance, app),
    ...chance.maybe(0.1, () => ({ namespaces: chance.some(namespaces) })),
    ...chance.maybe(0.1, () => ({ namespaceSelector: { matchLabels: { tier: 'a' } } })),
  };
}

export function podAffinity(chance: SeededRandom, app: string): PodAffinitySpec {
  if (chance.happens(0.65)) {
    return { requiredDuringSchedulingIgnoredDuringExecution: [podTerm(chance, app)] };
  }
  const weighted = { weight: chance.integer(1, 100), podAffinityTerm: podTerm(chance, app) };
  return { preferredDuringSchedulingIgnoredDuringExecution: [weighted] };
}

export function nodeAffinity(chance: SeededRandom) {
  const term = (most: number) => ({ matchExpressions: labelRules(chance, 1, most) });
  return {
    ...chance.maybe(0.6, () => ({
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: chance.times(1, 3, () => term(2)),
      },
    })),
    ...chance.maybe(0.5, () => ({
      preferredDuringSchedulingIgnoredDuringExecution: chance.times(1, 2, () => ({
        weight: chance.integer(1, 100),
        preference: term(1),
      })),
    })),
  };
}

export function spread(chance: SeededRandom, app: string): SpreadSpec {
  return {
    topologyKey: chance.pick(topologyKeys),
    maxSkew: chance.integer(1, 2),
    whenUnsatisfiable: chance.happens(0.75) ? 'DoNotSchedule' : 'ScheduleAnyway',
    labelSelector: selector(chance, app),
    ...chance.maybe(0.15, () => ({ minDomains: chance.integer(2, 4) })),
    ...chance.maybe(0.15, () => ({ nodeAffinityPolicy: chance.pick(['Honor', 'Ignore']) })),
    ...chance.maybe(0.15, () => ({ nodeTaintsPolicy: chance.pick(['Honor', 'Ignore']) })),
    ...chance.maybe(0.1, () => ({ matchLabelKeys: ['v'] })),
  };
}
