export type { RequestBatchWindow, Share } from './batcher.ts';
export { RequestBatcher } from './batcher.ts';
export type { FleetAnswer } from './create-fleet.ts';
export { type BatchedEc2, batchedEc2, type Ec2BatchOptions } from './ec2-batchers.ts';
