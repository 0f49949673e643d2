import type { LabelKeySet, PreferredTerm } from '../../requirements/index.ts';
import {
  podRequirements,
  type Requirements,
  strictPodRequirements,
  type Vocabulary,
} from '../../requirements/index.ts';
import type { Toleration } from '../../values/index.ts';
import type { PodSpecView, SpreadConstraint, WeightedPodAffinityTerm } from '../pod-spec.ts';

/** What a pod asks for at one step of relaxing: each step gives up one wish. */
export interface PodVariant {
  readonly requirements: Requirements;
  /** Without preferences. */
  readonly strict: Requirements;
  /** Whether a wish rules out a label that is required: then there is no such node. */
  readonly isContradictory: boolean;
  readonly tolerations: readonly Toleration[];
  readonly preferredAffinity: readonly WeightedPodAffinityTerm[];
  readonly preferredAntiAffinity: readonly WeightedPodAffinityTerm[];
  readonly spread: readonly SpreadConstraint[];
}

/**
 * Whether a node can take the pod as it is at this step. A wish may contradict what is required, and two
 * contradicting requirements make one that a node without the label meets: so what is required is asked by itself.
 */
export function meetsVariant(
  node: Requirements,
  { requirements, strict, isContradictory }: PodVariant,
  allowUndefined: LabelKeySet,
): boolean {
  if (isContradictory) return false;
  return node.compatible(requirements, allowUndefined) && node.compatible(strict, allowUndefined);
}

interface Wishes {
  readonly spec: PodSpecView;
  readonly preferredAffinity: readonly WeightedPodAffinityTerm[];
  readonly preferredAntiAffinity: readonly WeightedPodAffinityTerm[];
  readonly spread: readonly SpreadConstraint[];
}

export interface VariantOptions {
  readonly vocabulary: Vocabulary;
  readonly ignorePreferences: boolean;
  /** Some NodePool has a taint that only asks pods to stay away. */
  readonly hasSoftTaints: boolean;
}

/** The pod as it is, then with one wish less each time, in the order in which wishes are given up. */
export function* podVariants(spec: PodSpecView, options: VariantOptions): Generator<PodVariant> {
  let wishes: Wishes | undefined = initialWishes(spec, options.ignorePreferences);
  let last = wishes;
  while (wishes !== undefined) {
    yield variant(options.vocabulary, wishes, spec.tolerations ?? []);
    last = wishes;
    wishes = relax(wishes);
  }
  if (options.hasSoftTaints) {
    yield variant(options.vocabulary, last, [
      ...(spec.tolerations ?? []),
      { operator: 'Exists', effect: 'PreferNoSchedule' },
    ]);
  }
}

function initialWishes(spec: PodSpecView, ignorePreferences: boolean): Wishes {
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

function relax(wishes: Wishes): Wishes | undefined {
  const { spec, preferredAffinity, preferredAntiAffinity, spread } = wishes;
  const terms =
    spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  if (terms.length > 1) return { ...wishes, spec: withRequiredTerms(spec, terms.slice(1)) };
  if (preferredAffinity.length > 0)
    return { ...wishes, preferredAffinity: withoutHeaviest(preferredAffinity) };
  if (preferredAntiAffinity.length > 0) {
    return { ...wishes, preferredAntiAffinity: withoutHeaviest(preferredAntiAffinity) };
  }
  const preferred = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  if (preferred.length > 0)
    return { ...wishes, spec: withNodePreferences(spec, preferred, withoutHeaviest(preferred)) };
  const soft = spread.findIndex(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway');
  return soft < 0 ? undefined : { ...wishes, spread: spread.toSpliced(soft, 1) };
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
  { spec, ...wishes }: Wishes,
  tolerations: readonly Toleration[],
): PodVariant {
  const requirements = podRequirements(vocabulary, spec);
  const strict = strictPodRequirements(vocabulary, spec);
  return { requirements, strict, isContradictory: contradicts(requirements, strict), tolerations, ...wishes };
}

function contradicts(wished: Requirements, strict: Requirements): boolean {
  return strict.entries.some(
    ({ key, allowsAbsence }) => !allowsAbsence && wished.get(key).operator === 'DoesNotExist',
  );
}
