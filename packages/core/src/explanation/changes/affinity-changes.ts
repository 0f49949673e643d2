import type { RequirementItem } from '../../requirements/index.ts';
import type { ClusterPod } from '../../state/index.ts';
import type { FieldChange } from '../explanation.ts';
import { pointer } from '../json-patch.ts';
import { type Change, fieldChange } from './change.ts';
import { indexOfEqual, podName } from './pod-fields.ts';

const required = 'requiredDuringSchedulingIgnoredDuringExecution';

/** Required affinity that can be dropped: expressions of node affinity, and terms of the two kinds of pod affinity. */
export function affinityChanges(pod: ClusterPod): readonly Change<ClusterPod>[] {
  return [...nodeAffinityChanges(pod), ...podTermChanges(pod)];
}

function nodeAffinityChanges(pod: ClusterPod): readonly Change<ClusterPod>[] {
  return termsOf(pod).flatMap(({ matchExpressions = [] }, term) =>
    matchExpressions.map((expression) =>
      fieldChange<ClusterPod>({
        object: podName(pod),
        text: `drop the node affinity to ${expressionText(expression)}`,
        size: 2,
        patch: (current) => withoutExpression(current, term, expression),
      }),
    ),
  );
}

function termsOf({ spec }: ClusterPod) {
  return spec.affinity?.nodeAffinity?.[required]?.nodeSelectorTerms ?? [];
}

/** A term without expressions matches no node, so the last one takes the whole affinity with it. */
function withoutExpression(
  pod: ClusterPod,
  term: number,
  expression: RequirementItem,
): readonly FieldChange[] {
  const expressions = termsOf(pod)[term]?.matchExpressions ?? [];
  const index = indexOfEqual(expressions, expression);
  if (index < 0) return [];
  const affinity = pointer('spec', 'affinity', 'nodeAffinity', required);
  if (expressions.length === 1) return [{ op: 'remove', path: affinity }];
  return [
    { op: 'remove', path: `${affinity}${pointer('nodeSelectorTerms', term, 'matchExpressions', index)}` },
  ];
}

export function expressionText({ key, operator, values = [] }: RequirementItem): string {
  return values.length === 0 ? `${key} ${operator}` : `${key} ${operator} [${values.join(' ')}]`;
}

const podTermKinds = [
  { field: 'podAffinity', name: 'pod affinity' },
  { field: 'podAntiAffinity', name: 'pod anti-affinity' },
] as const;

function podTermChanges(pod: ClusterPod): readonly Change<ClusterPod>[] {
  return podTermKinds.flatMap(({ field, name }) =>
    (pod.spec.affinity?.[field]?.[required] ?? []).map((term) =>
      fieldChange<ClusterPod>({
        object: podName(pod),
        text: `drop the ${name} by ${term.topologyKey}`,
        size: 3,
        patch: ({ spec }) => {
          const index = indexOfEqual(spec.affinity?.[field]?.[required] ?? [], term);
          return index < 0
            ? []
            : [{ op: 'remove', path: pointer('spec', 'affinity', field, required, index) }];
        },
      }),
    ),
  );
}
