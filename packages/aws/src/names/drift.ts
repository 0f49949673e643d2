/** Drift reasons, in the order in which they are checked. */
export const awsDriftReasons = {
  nodeClass: 'NodeClassDrift',
  ami: 'AMIDrift',
  securityGroup: 'SecurityGroupDrift',
  subnet: 'SubnetDrift',
  capacityReservation: 'CapacityReservationDrift',
  placementGroup: 'PlacementGroupDrift',
} as const;
