import {
  type ConditionSet,
  conditionedObject,
  fullMetricLabel,
  type StatusConditionMetrics,
  sharedStatusConditionMetrics,
  statusConditionMetrics,
} from '@karpenter/core/api';
import type { Condition, LenientCondition } from '@karpenter/core/schema';
import type { Kind, KubeObject } from '@karpenter/kube/client';

/** An object of any kind that has conditions. */
export type ObjectWithConditions = KubeObject & {
  readonly status?: { readonly conditions?: readonly LenientCondition[] | undefined } | undefined;
};

/** A kind whose conditions are published as metrics and events. */
export interface ConditionKind<T extends ObjectWithConditions> {
  /** The name of the controller. */
  readonly name: string;
  readonly kind: Kind<T>;
  /** Its known conditions; those that an object does not have yet count as Unknown rather than missing. */
  readonly conditions: Pick<ConditionSet<string>, 'initialise'>;
  /** Labels of the object that its metrics have as labels. */
  readonly objectLabels: readonly string[];
  /** Whether the older metrics, which all kinds share, include it too. */
  readonly isShared: boolean;
}

/** A set of condition metrics, and how the labels of an object are derived for it. */
export interface ConditionMeters {
  readonly metrics: StatusConditionMetrics;
  readonly labels: (object: KubeObject) => Readonly<Record<string, string>>;
}

/** The metrics of a kind: its own, and the shared ones if it is part of them. */
export function conditionMeters<T extends ObjectWithConditions>({
  kind,
  objectLabels,
  isShared,
}: ConditionKind<T>): readonly ConditionMeters[] {
  const own: ConditionMeters = {
    metrics: statusConditionMetrics(kind.kind, objectLabels),
    labels: ({ metadata }) =>
      Object.fromEntries(objectLabels.map((key) => [fullMetricLabel(key), metadata?.labels?.[key] ?? ''])),
  };
  const shared: ConditionMeters = {
    metrics: sharedStatusConditionMetrics,
    labels: () => ({ group: kind.group, kind: kind.kind }),
  };
  return isShared ? [own, shared] : [own];
}

/** The conditions of an object, with Unknown for known conditions that are not set yet. */
export function conditionsOf<T extends ObjectWithConditions>(
  { conditions }: ConditionKind<T>,
  { metadata, status }: T,
): readonly Condition[] {
  return conditions.initialise(conditionedObject({ metadata: metadata ?? {}, status }));
}
