import type { LabelKeySet, PreferredTerm } from '../../requirements/index.ts';
import {
  podRequirements,
  type Requirements,
  strictPodRequirements,
  type Vocabulary,
} from '../../requirements/index.ts';
import type { Toleration } from '../../values/index.ts';
import type { PodSpecView, SpreadConstraint, WeightedPodAffinityTerm } from '../pod-spec.ts';

/** The constraints of a pod at one step of relaxation. */
export interface PodVariant {
  readonly requirements: Requirements;
  /** Required ones only. Spread constraints count domains by these. */
  readonly strict: Requirements;
  /** Whether a preference excludes a label that is required: no node satisfies both. */
  readonly isContradictory: boolean;
  readonly tolerations: readonly Toleration[];
  readonly preferredAffinity: readonly WeightedPodAffinityTerm[];
  readonly preferredAntiAffinity: readonly WeightedPodAffinityTerm[];
  readonly spread: readonly SpreadConstraint[];
}

/**
 * Whether a node satisfies the requirements of the pod at this step. A preference may contradict a
 * requirement; the intersection of the two is then DoesNotExist, which a node without the label satisfies. So
 * the required part is checked by itself as well.
 */
export function meetsVariant(
  node: Requirements,
  { requirements, strict, isContradictory }: PodVariant,
  allowUndefined: LabelKeySet,
): boolean {
  if (isContradictory) return false;
  return node.compatible(requirements, allowUndefined) && node.compatible(strict, allowUndefined);
}

/** The pod with the preferences that are left. */
interface RelaxedPod {
  readonly spec: PodSpecView;
  readonly preferredAffinity: readonly WeightedPodAffinityTerm[];
  readonly preferredAntiAffinity: readonly WeightedPodAffinityTerm[];
  readonly spread: readonly SpreadConstraint[];
}

export interface VariantOptions {
  readonly vocabulary: Vocabulary;
  readonly ignorePreferences: boolean;
  /**
   * Whether some NodePool has a PreferNoSchedule taint: only then does relaxation end by tolerating those.
   */
  readonly hasSoftTaints: boolean;
}

/**
 * The pod as it is, then after each step of relaxation, in Karpenter's order: required node affinity terms
 * but the last, preferred pod affinity, preferred pod anti-affinity, preferred node affinity (the heaviest
 * term first), ScheduleAnyway spread constraints, PreferNoSchedule taints. Preferences count as required
 * until they are relaxed.
 */
export function* podVariants(spec: PodSpecView, options: VariantOptions): Generator<PodVariant> {
  let relaxed: RelaxedPod | undefined = unrelaxed(spec, options.ignorePreferences);
  let last = relaxed;
  while (relaxed !== undefined) {
    yield variant(options.vocabulary, relaxed, spec.tolerations ?? []);
    last = relaxed;
    relaxed = relax(relaxed);
  }
  if (options.hasSoftTaints) {
    yield variant(options.vocabulary, last, [
      ...(spec.tolerations ?? []),
      { operator: 'Exists', effect: 'PreferNoSchedule' },
    ]);
  }
}

/**
 * With preferences ignored, the pod starts without any; PreferNoSchedule taints still count until the last
 * step.
 */
function unrelaxed(spec: PodSpecView, ignorePreferences: boolean): RelaxedPod {
  const { podAffinity, podAntiAffinity, nodeAffinity } = spec.affinity ?? {};
  const spread = spec.topologySpreadConstraints ?? [];
  if (!ignorePreferences) {
    return {
      spec,
      preferredAffinity: podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [],
      preferredAntiAffinity: podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [],
      spread,
    };
  }
  return {
    spec: withNodePreferences(spec, nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution, []),
    preferredAffinity: [],
    preferredAntiAffinity: [],
    spread: spread.filter(({ whenUnsatisfiable }) => whenUnsatisfiable !== 'ScheduleAnyway'),
  };
}

function relax(pod: RelaxedPod): RelaxedPod | undefined {
  const { spec, preferredAffinity, preferredAntiAffinity, spread } = pod;
  const terms =
    spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  if (terms.length > 1) return { ...pod, spec: withRequiredTerms(spec, terms.slice(1)) };
  if (preferredAffinity.length > 0) return { ...pod, preferredAffinity: withoutHeaviest(preferredAffinity) };
  if (preferredAntiAffinity.length > 0) {
    return { ...pod, preferredAntiAffinity: withoutHeaviest(preferredAntiAffinity) };
  }
  const preferred = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  if (preferred.length > 0)
    return { ...pod, spec: withNodePreferences(spec, preferred, withoutHeaviest(preferred)) };
  const soft = spread.findIndex(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway');
  return soft < 0 ? undefined : { ...pod, spread: spread.toSpliced(soft, 1) };
}

function withoutHeaviest<T extends { readonly weight: number }>(terms: readonly T[]): readonly T[] {
  const heaviest = terms.reduce(
    (best, term, index) => (term.weight > (terms[best]?.weight ?? 0) ? index : best),
    0,
  );
  return terms.toSpliced(heaviest, 1);
}

function withRequiredTerms(spec: PodSpecView, nodeSelectorTerms: readonly object[]): PodSpecView {
  const nodeAffinity = {
    ...spec.affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
  };
  return { ...spec, affinity: { ...spec.affinity, nodeAffinity } };
}

function withNodePreferences(
  spec: PodSpecView,
  before: readonly PreferredTerm[] | undefined,
  after: readonly PreferredTerm[],
): PodSpecView {
  if (before === undefined) return spec;
  const nodeAffinity = {
    ...spec.affinity?.nodeAffinity,
    preferredDuringSchedulingIgnoredDuringExecution: after,
  };
  return { ...spec, affinity: { ...spec.affinity, nodeAffinity } };
}

function variant(
  vocabulary: Vocabulary,
  { spec, ...preferences }: RelaxedPod,
  tolerations: readonly Toleration[],
): PodVariant {
  const requirements = podRequirements(vocabulary, spec);
  const strict = strictPodRequirements(vocabulary, spec);
  return {
    requirements,
    strict,
    isContradictory: contradicts(requirements, strict),
    tolerations,
    ...preferences,
  };
}

function contradicts(preferred: Requirements, strict: Requirements): boolean {
  return strict.entries.some(
    ({ key, allowsAbsence }) => !allowsAbsence && preferred.get(key).operator === 'DoesNotExist',
  );
}
