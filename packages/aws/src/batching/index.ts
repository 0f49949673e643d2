/**
 * Calls to EC2 that are merged: launches, descriptions and terminations that arrive together become one
 * request, because EC2 throttles by request. Calls CreateFleet, DescribeInstances and TerminateInstances.
 * Start with `ec2-batchers.ts`; `batcher.ts` collects, the others merge one call each.
 */

export type { FleetResponse } from './create-fleet.ts';
export { type BatchedEc2, batchedEc2, type Ec2BatchOptions } from './ec2-batchers.ts';
