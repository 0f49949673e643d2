import { ClusterView, KeepingEvents, type PriceOf, type ViewEvent } from '@karpenter/core/cluster-view';

/** A read model and the events about its nodes. */
export interface ViewedCluster {
  readonly view: ClusterView;
  readonly events: KeepingEvents;
}

export function emptyViewedCluster(priceOf: PriceOf): ViewedCluster {
  return { view: new ClusterView(priceOf), events: new KeepingEvents() };
}

/** Types cannot follow that kind and object belong together through a loop over kinds. */
export function viewEvent(type: ViewEvent['type'], kind: ViewEvent['kind'], object: unknown): ViewEvent {
  return { type, kind, object } as ViewEvent;
}
