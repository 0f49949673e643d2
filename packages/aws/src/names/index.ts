/**
 * Constants of the AWS provider: labels, annotations, tags, conditions, events, metrics, controller names and
 * tuning values. Names that Karpenter has are Karpenter's. No logic; reference docs are generated from some
 * of these. Start with `labels.ts`; `tuning.ts` has the fixed values.
 */

export { awsAnnotationKeys, ec2NodeClassFinalizer } from './annotations.ts';
export { ec2NodeClassConditionSet, ec2NodeClassConditions, ec2NodeClassReasons } from './conditions.ts';
export { awsControllerNames } from './controllers.ts';
export { awsDriftReasons } from './drift.ts';
export { awsEvents } from './events.ts';
export {
  awsLabelDomain,
  awsLabelKeys,
  awsLabelPolicy,
  awsWellKnownLabels,
  instanceLabelKeys,
  placementLabelKeys,
  selectableAwsLabels,
  selectableAwsOverlayLabels,
  tenancies,
} from './labels.ts';
export {
  awsMetrics,
  awsSdkMetrics,
  ec2NodeClassStatusMetrics,
  interruptionKinds,
  unhealthyCategories,
} from './metrics.ts';
export { awsResources } from './resources.ts';
export {
  clusterTagKey,
  clusterTagValue,
  isRestrictedTag,
  launchTemplateNamePrefix,
  restrictedTagKeys,
  tagKeys,
} from './tags.ts';
export {
  awsReconcilePeriods,
  batching,
  batchWorkers,
  cacheLifetimes,
  cacheSweeps,
  conflictRetry,
  interruptionTuning,
  launchTuning,
  nodeClassPeriods,
  quickGarbageCollectionRuns,
  rebalanceTuning,
  throttledRetries,
  unavailableBackoff,
} from './tuning.ts';
