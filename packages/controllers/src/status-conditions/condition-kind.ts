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

/** An object with conditions, whichever kind it is of. */
export type ConditionedObject = KubeObject & {
  readonly status?: { readonly conditions?: readonly LenientCondition[] | undefined } | undefined;
};

/** A kind whose conditions are measured and told of. */
export interface ConditionKind<T extends ConditionedObject> {
  /** Of the controller. */
  readonly name: string;
  readonly kind: Kind<T>;
  /** Its conditions that are Unknown, rather than missing, before anybody writes them. */
  readonly conditions: Pick<ConditionSet<string>, 'initialise'>;
  /** Labels of the objects that metrics carry. */
  readonly objectLabels: readonly string[];
  /** Whether the older metrics, which are the same for all kinds, show it too. */
  readonly isShared: boolean;
}

/** Metrics of one name, with the labels that an object has in them. */
export interface ConditionMeters {
  readonly metrics: StatusConditionMetrics;
  readonly labels: (object: KubeObject) => Readonly<Record<string, string>>;
}

export function conditionMeters<T extends ConditionedObject>({
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

/** The conditions of an object, those included that nobody has judged yet. */
export function conditionsOf<T extends ConditionedObject>(
  { conditions }: ConditionKind<T>,
  { metadata, status }: T,
): readonly Condition[] {
  return conditions.initialise(conditionedObject({ metadata: metadata ?? {}, status }));
}
