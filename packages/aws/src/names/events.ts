import { normalEvent, warningEvent } from '@karpenter/core/api';

const claimAndNode = ['NodeClaim', 'Node'];
/** Deduplicated by message, which names the zone, because several zones may be shifted at once. */
const byZone = { dedupeKey: ['uid', 'message'] } as const;

/** Every event that the AWS provider publishes. */
export const awsEvents = {
  spotInterrupted: warningEvent('SpotInterrupted', claimAndNode),
  capacityReservationInterrupted: warningEvent('CapacityReservationInstanceInterrupted', claimAndNode),
  spotRebalanceRecommendation: normalEvent('SpotRebalanceRecommendation', claimAndNode),
  instanceStopping: warningEvent('InstanceStopping', claimAndNode),
  instanceTerminating: warningEvent('InstanceTerminating', claimAndNode),
  instanceUnhealthy: warningEvent('InstanceUnhealthy', claimAndNode),
  terminatingOnInterruption: warningEvent('TerminatingOnInterruption', claimAndNode),
  zonalShiftActive: warningEvent('ZonalShiftActive', ['NodePool'], byZone),
  zonalShiftCleared: normalEvent('ZonalShiftCleared', ['NodePool'], byZone),
  waitingOnNodeClaimTermination: normalEvent('WaitingOnNodeClaimTermination', ['EC2NodeClass']),
  finalized: normalEvent('Finalized', ['EC2NodeClass']),
  /** Karpenter publishes these two without a reason. */
  nodeClassUnresolved: warningEvent('', ['NodePool', 'NodeClaim']),
  spotRoleCreationNotPermitted: warningEvent('', ['NodeClaim']),
} as const;
