/**
 * Interruptions: SQS messages, instance status checks, expiring capacity blocks and rebalance recommendations
 * (ADR 0018). Parsing and decisions (interruption-message.ts, response.ts, rebalance.ts) are pure;
 * controllers call SQS, EC2 and the Kubernetes API. Start with interruption-controller.ts, which receives
 * messages, then interruption-handler.ts, which marks offerings unavailable, and kube-cluster.ts, which publishes
 * events and deletes NodeClaims.
 */

export { CapacityBlockController } from './capacity-block-controller.ts';
export { InstanceStatusController } from './instance-status-controller.ts';
export { InterruptionController } from './interruption-controller.ts';
export { InterruptionHandler } from './interruption-handler.ts';
export { KubeCluster, type NodeWithProvider } from './kube-cluster.ts';
export { inParallel } from './parallel-work.ts';
export { RebalanceController } from './rebalance-controller.ts';
