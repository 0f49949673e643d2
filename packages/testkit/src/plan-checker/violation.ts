/** The rule of placement that a plan breaks. */
export type PlanRule =
  | 'revision'
  | 'unknown-pod'
  | 'unknown-node'
  | 'unknown-pool'
  | 'unknown-instance-type'
  | 'lost-pod'
  | 'repeated-pod'
  | 'deleting-node'
  | 'unusable-pool'
  | 'taints'
  | 'requirements'
  | 'pool-requirements'
  | 'resources'
  | 'requests'
  | 'host-ports'
  | 'offering'
  | 'price'
  | 'price-order'
  | 'weight'
  | 'limits'
  | 'min-values'
  | 'pod-anti-affinity'
  | 'pod-affinity'
  | 'topology-spread'
  | 'reservation'
  | 'reservation-pinning'
  | 'reservation-fallback'
  | 'false-deferral'
  | 'false-rejection'
  | 'displaced-pod'
  | 'false-limits';

/** One violation, as data and as a sentence. */
export interface Violation {
  readonly rule: PlanRule;
  /** Uid of the pod; one stands for all equal pods in the same place. */
  readonly pod?: string;
  /** Name of the node, or `new-3` for the fourth new one. */
  readonly node?: string;
  readonly detail: string;
}
