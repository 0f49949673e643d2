export type { InstanceOverhead, InstanceType, Offering } from './instance-type.ts';
