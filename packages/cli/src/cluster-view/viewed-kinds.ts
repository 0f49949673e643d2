import { shapedAs } from '@karpenter/controllers/cluster';
import type { KeepingEvent, ViewedKind, ViewedObjects, ViewedPod } from '@karpenter/core/cluster-view';
import { type Kind, type KubeObject, kinds, nodeClaims, nodePools } from '@karpenter/kube/client';
import type { KarpenterEvent } from './karpenter-event.ts';

/** The kinds that feed a ClusterView. */
export const viewedKinds: { readonly [K in ViewedKind]: Kind<ViewedObjects[K] & KubeObject> } = {
  Node: shapedAs(kinds.node),
  Pod: shapedAs(kinds.pod),
  NodeClaim: shapedAs(nodeClaims),
  NodePool: shapedAs(nodePools),
};

export const keepingEvents: Kind<KeepingEvent & KubeObject> = shapedAs(kinds.event);

export const karpenterEvents: Kind<KarpenterEvent & KubeObject> = shapedAs(kinds.event);

/** Kinds that every cluster has. The others exist where Karpenter is installed. */
export const requiredKinds: ReadonlySet<ViewedKind> = new Set(['Node', 'Pod']);

const keptAnnotations = ['karpenter.sh/do-not-disrupt', 'CapacityProvisioned'];

/** The fields of a pod that a view reads: of a hundred thousand pods the rest would take gigabytes. */
export function slimPod(pod: ViewedPod & KubeObject): ViewedPod & KubeObject {
  const { metadata, spec } = pod;
  const {
    managedFields: _fields,
    annotations = {},
    ...kept
  } = metadata as typeof metadata & {
    readonly managedFields?: unknown;
  };
  const shown = Object.entries(annotations).filter(([key]) => keptAnnotations.includes(key));
  return Object.assign({}, pod, {
    metadata: Object.assign({}, kept, shown.length > 0 && { annotations: Object.fromEntries(shown) }),
    spec: slimSpec(spec),
  });
}

function slimSpec(spec: ViewedPod['spec']): ViewedPod['spec'] {
  const { nodeName, overhead, resources, containers, initContainers } = spec;
  const slim = (list: typeof containers) =>
    list.map(({ name, resources: own, restartPolicy }) => ({ name, resources: own, restartPolicy }));
  return {
    nodeName,
    overhead,
    resources,
    containers: slim(containers),
    ...(initContainers !== undefined && { initContainers: slim(initContainers) }),
  } as ViewedPod['spec'];
}

/** Only what becomes a decision: a busy cluster publishes thousands of events in the hour that they are kept. */
export function slimEvent(event: KarpenterEvent & KubeObject): KarpenterEvent & KubeObject {
  const { metadata, involvedObject, reason, message, firstTimestamp, eventTime } = event;
  const { name, namespace, uid, creationTimestamp, resourceVersion } =
    metadata as KarpenterEvent['metadata'] & {
      readonly resourceVersion?: string;
    };
  const { kind, namespace: place, name: about } = involvedObject;
  const kept = {
    metadata: { name, namespace, uid, creationTimestamp, resourceVersion },
    involvedObject: { kind, namespace: place, name: about },
    reason,
    message,
    firstTimestamp,
    eventTime,
  };
  return JSON.parse(JSON.stringify(kept));
}
