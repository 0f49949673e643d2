import { labelKeys, podMetrics } from '@karpenter/core/api';
import type { ClusterNode, ClusterPod } from '@karpenter/core/state';
import type { GaugeReading } from '../gauges/index.ts';

const unknown = 'N/A';

/** The state of a pod as labels of a gauge whose value is always one, with Karpenter's label names. */
export function podStateReading(
  { metadata, spec, status }: ClusterPod,
  node: ClusterNode | undefined,
): GaugeReading {
  const [owner] = metadata.ownerReferences ?? [];
  const label = (key: string) => node?.metadata.labels?.[key] ?? unknown;
  const isTrue = (type: string) =>
    String(
      (status?.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True'),
    );
  return {
    gauge: podMetrics.state,
    labels: {
      name: metadata.name,
      namespace: metadata.namespace,
      owner:
        owner === undefined
          ? ''
          : `/apis/${owner.apiVersion}/namespaces/${metadata.namespace}/${owner.kind.toLowerCase()}s/${owner.name}`,
      node: spec.nodeName ?? '',
      scheduled: isTrue('PodScheduled'),
      nodepool: label(labelKeys.nodePool),
      zone: label(labelKeys.zone),
      arch: label(labelKeys.architecture),
      capacity_type: label(labelKeys.capacityType),
      instance_type: label(labelKeys.instanceType),
      phase: status?.phase ?? '',
      ready: isTrue('Ready'),
      managed: String(node?.metadata.labels?.[labelKeys.nodePool] !== undefined),
    },
    value: 1,
  };
}
