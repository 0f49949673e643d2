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
 * A pod may have ten thousand preferences, and each step of relaxation has the groups of all that are left. One with
 * more preferences than this loses several in each step, unlike in Karpenter.
 */
const preferencesRelaxedSingly = 100;

/**
 * The pod as it is, then after each step of relaxation, in Karpenter's order: required node affinity terms
 * but the last, preferred pod affinity, preferred pod anti-affinity, preferred node affinity (the heaviest
 * term first), ScheduleAnyway spread constraints, PreferNoSchedule taints. Preferences count as required
 * until they are relaxed.
 */
export function* podVariants(spec: PodSpecView, options: VariantOptions): Generator<PodVariant> {
  let relaxed: RelaxedPod | undefined = unrelaxed(spec, options.ignorePreferences);
  const atOnce = Math.ceil(preferencesOf(relaxed) / preferencesRelaxedSingly);
  let last = relaxed;
  while (relaxed !== undefined) {
    yield variant(options.vocabulary, relaxed, spec.tolerations ?? []);
    last = relaxed;
    relaxed = relax(relaxed, atOnce);
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
    spread: spread.filter((constraint) => !isSoft(constraint)),
  };
}

function preferencesOf({ spec, preferredAffinity, preferredAntiAffinity, spread }: RelaxedPod): number {
  const ofNodes = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const soft = spread.filter(isSoft);
  return preferredAffinity.length + preferredAntiAffinity.length + ofNodes.length + soft.length;
}

/** Required terms are alternatives, each of which must be tried: they go one at a time. */
function relax(pod: RelaxedPod, atOnce: number): RelaxedPod | undefined {
  const { spec, preferredAffinity, preferredAntiAffinity, spread } = pod;
  const terms =
    spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  if (terms.length > 1) return { ...pod, spec: withRequiredTerms(spec, terms.slice(1)) };
  if (preferredAffinity.length > 0)
    return { ...pod, preferredAffinity: withoutHeaviest(preferredAffinity, atOnce) };
  if (preferredAntiAffinity.length > 0) {
    return { ...pod, preferredAntiAffinity: withoutHeaviest(preferredAntiAffinity, atOnce) };
  }
  const preferred = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  if (preferred.length > 0)
    return { ...pod, spec: withNodePreferences(spec, preferred, withoutHeaviest(preferred, atOnce)) };
  const soft = [...spread.keys()].filter((index) => isSoft(spread[index])).slice(0, atOnce);
  return soft.length === 0 ? undefined : { ...pod, spread: withoutIndexes(spread, soft) };
}

function isSoft(constraint: SpreadConstraint | undefined): boolean {
  return constraint?.whenUnsatisfiable === 'ScheduleAnyway';
}

/** Without the first of the terms with the highest weight, as many as that. */
function withoutHeaviest<T extends { readonly weight: number }>(
  terms: readonly T[],
  count: number,
): readonly T[] {
  const weightOf = (index: number) => terms[index]?.weight ?? 0;
  const heaviestFirst = [...terms.keys()].sort((a, b) => weightOf(b) - weightOf(a));
  return withoutIndexes(terms, heaviestFirst.slice(0, count));
}

function withoutIndexes<T>(items: readonly T[], indexes: readonly number[]): readonly T[] {
  const left = new Set(indexes);
  return items.filter((_, index) => !left.has(index));
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
