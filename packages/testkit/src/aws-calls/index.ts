/**
 * Builders and recorders for unit tests of the AWS provider: calls with canned answers, instance types, logs
 * and metrics that tests read back. No account behind it and no I/O; see `sim` for a whole one. Start with
 * `recorded-call.ts`.
 */
export { AwsRefusal } from './aws-refusal.ts';
export { ec2NodeClass } from './ec2-node-class.ts';
export { recordedCall } from './recorded-call.ts';
export { RecordedLogText } from './recorded-log.ts';
export { RecordedSeries } from './recorded-meters.ts';
export { type SoldOffering, soldType } from './sold-type.ts';
