/**
 * Interruptions: SQS messages, instance status checks, expiring capacity blocks and rebalance recommendations
 * (ADR 0018). Parsing and decisions (interruption-message.ts, response.ts, rebalance.ts) are pure;
 * controllers call SQS, EC2 and the Kubernetes API. Start with interruption-handler.ts.
 */

export {
  CapacityBlockController,
  type CapacityBlockOptions,
  type ReservationLookup,
} from './capacity-block-controller.ts';
export { type Finding, findingsIn, type UnhealthyCategory } from './instance-status.ts';
export { InstanceStatusController, type InstanceStatusOptions } from './instance-status-controller.ts';
export type { Interrupted, InterruptedCluster } from './interrupted.ts';
export { InterruptionController, type InterruptionOptions } from './interruption-controller.ts';
export { InterruptionHandler, type InterruptionHandlerOptions } from './interruption-handler.ts';
export {
  type InterruptionKind,
  type InterruptionMessage,
  type MalformedMessage,
  parseMessage,
} from './interruption-message.ts';
export { KubeCluster, type KubeClusterOptions, type NodeWithProvider } from './kube-cluster.ts';
export { inParallel } from './parallel-work.ts';
export {
  noRecommendations,
  type RebalanceLimits,
  type RebalanceState,
  type RebalanceStep,
  type Recommendation,
  type RecommendationView,
  rebalance,
  withRecommendation,
} from './rebalance.ts';
export { RebalanceController, type RebalanceOptions } from './rebalance-controller.ts';
export { type Action, type Response, responseTo } from './response.ts';
