/**
 * Value types of Kubernetes and Go that everything else uses: quantities and resource lists, pod requests,
 * durations, cron schedules, label selectors, taints, host ports and names; and memoization. Pure functions
 * without dependencies; parsers take a `field` for their error message. Start with `quantity.ts`, `resource-list.ts`
 * and `pod-requests.ts`.
 */

export { civilDate } from './civil-date.ts';
export {
  type DurationMs,
  durationMs,
  durationMsToNs,
  formatDuration,
  nsToDurationMs,
  parseDuration,
  readDuration,
} from './duration.ts';
export { type HostPort, hostPorts, hostPortsClash, hostPortsConflict } from './host-ports.ts';
export {
  compileLabelSelector,
  type LabelPredicate,
  type LabelSelector,
  type LabelSelectorRequirement,
  type Labels,
} from './label-selector.ts';
export { parseLabelSelector } from './label-selector-text.ts';
export { memoized, memoizedLast } from './memoized.ts';
export { nearestName } from './nearest-name.ts';
export { neverDuration, parseNillableDuration } from './nillable-duration.ts';
export { controllerReference, isOwnedBy, type OwnerReference } from './owner-reference.ts';
export type {
  ContainerLike,
  ContainerStatusLike,
  PodLike,
  PodResourceClaimStatusLike,
  PodSpecLike,
  PodStatusLike,
} from './pod.ts';
export { isResizeInfeasible, podLimits, podRequests, withLimitsAsRequests } from './pod-requests.ts';
export { labelValueProblems, qualifiedNameProblems, subdomainProblems } from './qualified-name.ts';
export {
  addQuantities,
  compareQuantities,
  equalQuantities,
  isZeroQuantity,
  type Quantity,
  type QuantityFormat,
  quantityFromInteger,
  quantityFromMilli,
  quantitySign,
  subtractQuantities,
  toInteger,
  toMilli,
  toNumber,
} from './quantity.ts';
export { formatQuantity } from './quantity-format.ts';
export { decimalExponents, parseQuantity } from './quantity-parse.ts';
export {
  equalResources,
  fits,
  formatResourceList,
  maxResources,
  parseResourceList,
  type QuantityTexts,
  type ResourceList,
  resourceAmount,
  resourceTexts,
  subtractResources,
  sumResources,
  withResource,
} from './resource-list.ts';
export { isOlderVersion } from './resource-version.ts';
export {
  isWindowOpen,
  nextAfter,
} from './schedule.ts';
export { parseSchedule } from './schedule-parse.ts';
export { formatTaint, isSameTaint, type Taint, type Toleration, tolerates, untolerated } from './taints.ts';
