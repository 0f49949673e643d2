// A simulated AWS account: EC2, IAM, SQS, SSM, Pricing, EKS, STS and zonal shift behind the ports of
// packages/aws, with finite capacity, spot interruptions and faults. It touches neither the network nor,
// except in account-file, the disk, and never imports our cloud provider. Start reading at cloud.ts, then
// cloud-parts.ts for the wiring.
export {
  AccountFile,
  type AccountFileOptions,
  AccountKeeper,
  type SavedAccount,
} from './account-file/index.ts';
export { InstanceBoots, type InstanceBootsOptions } from './boots/instance-boots.ts';
export { type ApiFamily, apiFamilies } from './calls/api-families.ts';
export { SimulatedAwsError } from './calls/simulated-aws-error.ts';
export type { Pool } from './capacity/capacity-pools.ts';
export { type CloudOptions, createCloud, type SimulatedCloud } from './cloud.ts';
export type { InstanceListener } from './ec2/instance-lifecycle.ts';
export { type Faults, noFaults } from './faults/faults.ts';
export { faultsFrom, parseFaults } from './faults/faults-file.ts';
export { CapacityReservation, type CapacityReservationFacts } from './world/capacity-reservation.ts';
export { type CloudWorldOptions, defaultWorld } from './world/default-world.ts';
export type { Image } from './world/image.ts';
export type { EventCode, Instance, InstanceStateName } from './world/instance.ts';
export { Subnet, type SubnetFacts } from './world/subnet.ts';
export type {
  CloudWorld,
  ClusterAddress,
  EksCluster,
  InstanceProfile,
  LaunchTemplate,
  Parameter,
  Role,
  SecurityGroup,
  Shift,
  SimulatedPlacementGroup,
  WorldZone,
} from './world/world.ts';
