import { events } from '@karpenter/core/api';
import { type Nomination, nominationText } from '@karpenter/core/provisioning';
import type { PodView } from '@karpenter/core/scheduling';
import { type KubeObject, kinds } from '@karpenter/kube/client';
import type { ClusterEvent } from '@karpenter/kube/runtime';

/** The event Nominated: on which node or NodeClaim the pod is expected to run. */
export function nominationEvent(nomination: Nomination): ClusterEvent {
  return {
    definition: events.nominated,
    kind: kinds.pod,
    object: eventObject(nomination.pod),
    message: nominationText(nomination),
  };
}

/** The fields of a pod that an event references. */
export function eventObject({ metadata: { name, namespace, uid } }: PodView): KubeObject {
  return { metadata: { name, namespace, uid } };
}
