// A simulated AWS account: EC2, Auto Scaling, IAM, SQS, SSM, Pricing, EKS, STS and zonal shift behind the ports of
// packages/aws, with finite capacity, spot interruptions and faults. It touches neither the network nor,
// except in account-file, the disk, and never imports our cloud provider. Start reading at cloud.ts, then
// cloud-parts.ts for the wiring.
export type { IdentityPolicy } from './access/index.ts';
export {
  AccountFile,
  AccountKeeper,
} from './account-file/index.ts';
export { InstanceBoots } from './boots/instance-boots.ts';
export { Refusal } from './calls/refusal.ts';
export { SimulatedAwsError } from './calls/simulated-aws-error.ts';
export { createCloud, type SimulatedCloud } from './cloud.ts';
export { defaultPendingTime } from './ec2/instance-lifecycle.ts';
export { type Faults, noFaults } from './faults/faults.ts';
export { faultsFrom, parseFaults } from './faults/faults-file.ts';
export type { AdministratorServices } from './services/administration.ts';
export type { SimulatedPlacementGroup } from './world/world.ts';
