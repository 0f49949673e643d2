import { normalEvent, warningEvent } from './event-definition.ts';
import { minutes } from './time-spans.ts';

const nodeAndClaim = ['Node', 'NodeClaim'];
const byName = { dedupeKey: ['name'] } as const;

/** Every event that the provider-independent controllers publish. */
export const events = {
  nominated: normalEvent('Nominated', ['Pod'], { rateLimit: { perSecond: 5, burst: 10 } }),
  failedScheduling: warningEvent('FailedScheduling', ['Pod'], { dedupeWindow: minutes(5) }),
  noCompatibleInstanceTypes: warningEvent('NoCompatibleInstanceTypes', ['NodePool'], {
    dedupeWindow: minutes(1),
  }),
  insufficientCapacity: warningEvent('InsufficientCapacityError', ['NodeClaim']),
  unregisteredTaintMissing: warningEvent('UnregisteredTaintMissing', ['NodeClaim']),
  failedConsistencyCheck: warningEvent('FailedConsistencyCheck', ['NodeClaim'], {
    dedupeKey: ['uid', 'message'],
  }),
  // The message is part of the key, so that an earlier reason does not hide the current one.
  disruptionBlocked: normalEvent('DisruptionBlocked', nodeAndClaim, { dedupeKey: ['uid', 'message'] }),
  nodePoolDisruptionBlocked: normalEvent('DisruptionBlocked', ['NodePool'], {
    dedupeWindow: minutes(1),
    dedupeKey: ['uid', 'disruption-reason'],
  }),
  unconsolidatable: normalEvent('Unconsolidatable', nodeAndClaim, { dedupeWindow: minutes(15) }),
  consolidationCandidate: normalEvent('ConsolidationCandidate', nodeAndClaim, {
    dedupeKey: ['uid', 'command'],
  }),
  consolidationRejected: normalEvent('ConsolidationRejected', nodeAndClaim, {
    dedupeKey: ['uid', 'command', 'disruption-reason'],
  }),
  consolidationApproved: normalEvent('ConsolidationApproved', [...nodeAndClaim, 'NodePool']),
  disruptionLaunching: normalEvent('DisruptionLaunching', ['NodeClaim'], {
    dedupeKey: ['uid', 'disruption-reason'],
  }),
  disruptionWaitingReadiness: normalEvent('DisruptionWaitingReadiness', ['NodeClaim']),
  disruptionTerminating: normalEvent('DisruptionTerminating', nodeAndClaim, {
    dedupeKey: ['uid', 'disruption-reason'],
  }),
  evicted: normalEvent('Evicted', ['Pod'], byName),
  disrupted: normalEvent('Disrupted', ['Pod'], byName),
  failedDraining: warningEvent('FailedDraining', ['Node'], byName),
  awaitingVolumeDetachment: normalEvent('AwaitingVolumeDetachment', ['Node'], byName),
  terminationGracePeriodExpiring: warningEvent('TerminationGracePeriodExpiring', nodeAndClaim, byName),
  nodeRepairBlocked: warningEvent('NodeRepairBlocked', ['Node'], {
    dedupeWindow: minutes(15),
    dedupeKey: ['uid', 'about'],
  }),
  invalidDoNotDisrupt: warningEvent('InvalidDoNotDisruptAnnotation', ['Pod'], {
    dedupeKey: ['uid', 'message'],
  }),
  doNotDisruptUntil: normalEvent('DoNotDisruptUntil', ['Pod'], { dedupeKey: ['uid', 'time'] }),
  doNotDisruptElapsed: normalEvent('DoNotDisruptGracePeriodElapsed', ['Pod'], {
    dedupeKey: ['uid', 'time'],
  }),
  /** Ours. */
  featureGateDisabled: warningEvent('FeatureGateDisabled', ['NodePool', 'NodeOverlay', 'CapacityBuffer'], {
    dedupeWindow: minutes(15),
  }),
  finalized: normalEvent('Finalized', ['NodeClaim', 'NodePool', 'Node', 'CapacityBuffer']),
} as const;

/** A condition transition is published as an event whose reason is the condition type. */
export function conditionTransitionEvent(conditionType: string, kind: string) {
  return normalEvent(conditionType, [kind], { dedupeKey: ['uid', 'message'] });
}
