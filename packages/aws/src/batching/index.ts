export type { FleetAnswer } from './create-fleet.ts';
export { type BatchedEc2, batchedEc2, type Ec2BatchOptions } from './ec2-batchers.ts';
