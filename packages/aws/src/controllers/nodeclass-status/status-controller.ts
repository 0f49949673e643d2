import { sharedStatusConditionMetrics } from '@karpenter/core/api';
import { StatusController } from '@karpenter/kube/runtime';
import { ec2NodeClasses } from '../../kinds.ts';
import {
  awsControllerNames,
  awsEvents,
  awsReconcilePeriods,
  ec2NodeClassStatusMetrics,
} from '../../names/index.ts';
import type { EC2NodeClass } from '../../node-class/index.ts';
import type { AwsControllerOptions } from '../controller-options.ts';

/** Reports the conditions of EC2NodeClasses, also under the names that older dashboards know. */
export function nodeClassStatusController(options: AwsControllerOptions): StatusController<EC2NodeClass> {
  const { group, kind } = ec2NodeClasses;
  return new StatusController({
    ...options,
    name: awsControllerNames.nodeClassStatus,
    kind: ec2NodeClasses,
    cache: options.caches.nodeClasses,
    conditionsOf: ({ status }) => status?.conditions,
    families: [
      { metrics: ec2NodeClassStatusMetrics, labelsOf: () => ({}) },
      { metrics: sharedStatusConditionMetrics, labelsOf: () => ({ group, kind }) },
    ],
    finalized: awsEvents.finalized,
    period: awsReconcilePeriods.nodeClassStatus,
  });
}
