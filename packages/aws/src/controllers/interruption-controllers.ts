import type { Runnable } from '@karpenter/kube/runtime';
import {
  InstanceStatusController,
  InterruptionController,
  InterruptionHandler,
  KubeCluster,
  RebalanceController,
} from '../interruption/index.ts';
import type { AwsControllerOptions } from './controller-options.ts';
import { whenSynced } from './sources.ts';

/**
 * Builds the controllers for instance status, the interruption
 * queue (if set) and rebalancing (if the policy is Replace).
 */
export function interruptionControllers(options: AwsControllerOptions): readonly Runnable[] {
  const { caches, provider, services, settings, meters: counters } = options;
  const { nodeClaims: claims, nodes, nodePools } = caches;
  const shared = { ...options, claims, counters };
  const cluster = new KubeCluster({ ...shared, nodes });
  const { unavailableOfferings: unavailable, reservationCounts: reservations } = provider;
  const rebalances =
    settings.rebalancePolicy === 'Replace'
      ? new RebalanceController({
          ...shared,
          nodePools,
          cluster,
          unavailable,
          perHour: settings.rebalanceReplacementsPerHour,
        })
      : undefined;
  const handler = new InterruptionHandler({
    ...shared,
    cluster,
    unavailable,
    reservations,
    ...(rebalances !== undefined && { onRebalance: (each) => rebalances.notice(each) }),
  });
  const sources = [whenSynced(claims, nodes)];
  const { interruptionQueue: queueName } = settings;
  return [
    { singleton: new InstanceStatusController({ ...shared, ec2: services.ec2, cluster, handler }), sources },
    ...(queueName === ''
      ? []
      : [
          {
            singleton: new InterruptionController({ ...shared, sqs: services.sqs, queueName, handler }),
            sources,
          },
        ]),
    ...(rebalances === undefined
      ? []
      : [{ singleton: rebalances, sources: [whenSynced(claims, nodes, nodePools)] }]),
  ];
}
