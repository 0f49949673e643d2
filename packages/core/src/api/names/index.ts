/**
 * Names and numbers that users and other programs rely on: labels, annotations, taints, condition types,
 * event reasons, controller names, metrics, and fixed timings (`tuning.ts`). Constants and lookups, no state.
 * They match Karpenter; those marked "ours" do not exist there. Change one only with a changelog entry. Start
 * with `labels.ts`.
 */

export { annotationKeys, terminationFinalizer } from './annotations.ts';
export {
  capacityBufferConditions,
  capacityBufferReasons,
  consistencyReasons,
  initializationReasons,
  launchReasons,
  nodeClaimConditions,
  nodeOverlayConditions,
  nodeOverlayReasons,
  nodePoolConditions,
  nodePoolReasons,
  registrationReasons,
  terminationReasons,
} from './condition-types.ts';
export { controllerNames } from './controllers.ts';
export {
  consolidationTypes,
  type DisruptionReason,
  disruptionDecisions,
  disruptionReasons,
  driftReasons,
  forcedDisruptionReasons,
  forcefulTerminationReason,
  provisionedReason,
  rejectionReasons,
  terminationModes,
} from './disruption.ts';
export {
  type EventDefinition,
  type EventKeyPart,
  eventComponent,
  normalEvent,
  warningEvent,
} from './event-definition.ts';
export { conditionTransitionEvent, events } from './events.ts';
export {
  coreLabelPolicy,
  extendLabelPolicy,
  isRestrictedLabel,
  type LabelPolicy,
  normalizeLabel,
  restrictedLabelError,
} from './label-policy.ts';
export {
  type CapacityType,
  capacityTypes,
  excludeFromLoadBalancersValue,
  labelAliases,
  labelKeys,
  nodeClassLabelKey,
  wellKnownLabels,
} from './labels.ts';
export {
  type CounterDefinition,
  counter,
  disruptionMetrics,
  durationBuckets,
  exponentialBuckets,
  fullMetricLabel,
  type GaugeDefinition,
  gauge,
  type HistogramDefinition,
  histogram,
  leaderElectionMetrics,
  type MetricDefinition,
  metricLabelValue,
  nodeClaimMetrics,
  nodeMetrics,
  nodePoolMetrics,
  nodeStateMetrics,
  operatorMetrics,
  podMetrics,
  processMetrics,
  prometheusDefaultBuckets,
  runtimeMetrics,
  type StatusConditionMetrics,
  type SummaryDefinition,
  schedulerMetrics,
  sharedStatusConditionMetrics,
  shortMetricLabel,
  sizeBuckets,
  statusConditionMetrics,
  summary,
} from './metrics/index.ts';
export {
  disruptedTaint,
  ephemeralTaints,
  isEphemeralTaint,
  leavingTaint,
  unregisteredTaint,
} from './taints.ts';
export { days, hours, milliseconds, minutes, seconds } from './time-spans.ts';
export {
  apiRetryTuning,
  concurrency,
  concurrencyRanges,
  consolidationTuning,
  disruptionTuning,
  driftTuning,
  lifecycleTuning,
  maxListedNames,
  provisioningTuning,
  reconcilePeriods,
  registrationHealthTuning,
  repairTuning,
  stateTuning,
  surgeTuning,
  terminationTuning,
} from './tuning.ts';
