/** Why an instance no longer matches its EC2NodeClass, in the order in which they are looked for. */
export const awsDriftReasons = {
  nodeClass: 'NodeClassDrift',
  ami: 'AMIDrift',
  securityGroup: 'SecurityGroupDrift',
  subnet: 'SubnetDrift',
  capacityReservation: 'CapacityReservationDrift',
  placementGroup: 'PlacementGroupDrift',
} as const;
