import type { ClusterPod } from '../../state/index.ts';
import { formatTaint, type ResourceList, type Taint } from '../../values/index.ts';
import type { FieldChange } from '../explanation.ts';
import { pointer } from '../json-patch.ts';
import { affinityChanges } from './affinity-changes.ts';
import { type Change, fieldChange } from './change.ts';
import { indexOfEqual, podName } from './pod-fields.ts';
import { requestChanges } from './request-changes.ts';

/** What may be in the way of a pod. */
export interface PodObstacles {
  /** That it does not tolerate. */
  readonly taints: readonly Taint[];
  /** What types and nodes have for pods. */
  readonly rooms: readonly ResourceList[];
}

/** Everything about a pod that can be relaxed so that more nodes may take it. */
export function podChanges(pod: ClusterPod, { taints, rooms }: PodObstacles): readonly Change<ClusterPod>[] {
  return [
    ...taints.map((taint) => tolerationFor(pod, taint)),
    ...selectorChanges(pod),
    ...affinityChanges(pod),
    ...spreadChanges(pod),
    ...hostPortChanges(pod),
    ...requestChanges(pod, rooms),
  ];
}

function tolerationFor(pod: ClusterPod, taint: Taint): Change<ClusterPod> {
  const { key, value = '', effect } = taint;
  const toleration =
    value === '' ? { key, operator: 'Exists', effect } : { key, operator: 'Equal', value, effect };
  return fieldChange({
    object: podName(pod),
    text: `let the pod tolerate ${formatTaint(taint)}`,
    size: 1,
    patch: ({ spec }) =>
      spec.tolerations === undefined
        ? [{ op: 'add', path: '/spec/tolerations', value: [toleration] }]
        : [{ op: 'add', path: '/spec/tolerations/-', value: toleration }],
  });
}

function selectorChanges(pod: ClusterPod): readonly Change<ClusterPod>[] {
  return Object.entries(pod.spec.nodeSelector ?? {}).map(([key, value]) =>
    fieldChange<ClusterPod>({
      object: podName(pod),
      text: `drop ${key}=${value} from the node selector of the pod`,
      size: 2,
      patch: ({ spec }) =>
        Object.hasOwn(spec.nodeSelector ?? {}, key)
          ? [{ op: 'remove', path: pointer('spec', 'nodeSelector', key) }]
          : [],
    }),
  );
}

type Spread = NonNullable<ClusterPod['spec']['topologySpreadConstraints']>[number];

const soft = 'ScheduleAnyway';

function spreadChanges(pod: ClusterPod): readonly Change<ClusterPod>[] {
  return (pod.spec.topologySpreadConstraints ?? [])
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable !== soft)
    .map((constraint) =>
      fieldChange<ClusterPod>({
        object: podName(pod),
        text: `only prefer the topology spread by ${constraint.topologyKey} (whenUnsatisfiable: ${soft})`,
        size: 2,
        patch: ({ spec }) => softened(spec.topologySpreadConstraints ?? [], constraint),
      }),
    );
}

/** The API server refuses a second soft constraint on the same key, and minDomains on a soft one. */
function softened(constraints: readonly Spread[], constraint: Spread): readonly FieldChange[] {
  const index = indexOfEqual(constraints, constraint);
  if (index < 0) return [];
  const at = (...names: readonly string[]) => pointer('spec', 'topologySpreadConstraints', index, ...names);
  const hasTwin = constraints.some(
    ({ topologyKey, whenUnsatisfiable }) =>
      topologyKey === constraint.topologyKey && whenUnsatisfiable === soft,
  );
  if (hasTwin) return [{ op: 'remove', path: at() }];
  const replaced: FieldChange = { op: 'replace', path: at('whenUnsatisfiable'), value: soft };
  return constraint.minDomains === undefined
    ? [replaced]
    : [replaced, { op: 'remove', path: at('minDomains') }];
}

/** On the network of the host every port is a host port, so none can be dropped there. */
function hostPortChanges(pod: ClusterPod): readonly Change<ClusterPod>[] {
  if (pod.spec.hostNetwork === true) return [];
  return pod.spec.containers.flatMap(({ ports = [] }, container) =>
    ports.flatMap(({ hostPort = 0 }, port) => {
      if (hostPort === 0) return [];
      const path = pointer('spec', 'containers', container, 'ports', port, 'hostPort');
      return fieldChange<ClusterPod>({
        object: podName(pod),
        text: `do not use port ${hostPort} of the host`,
        size: 3,
        patch: () => [{ op: 'remove', path }],
      });
    }),
  );
}
