export { AwsRefusal } from './aws-refusal.ts';
export { ec2NodeClass, type NodeClassParts } from './ec2-node-class.ts';
export { type RecordedCall, recordedCall } from './recorded-call.ts';
export { RecordedLogText } from './recorded-log.ts';
export { RecordedSeries } from './recorded-meters.ts';
export { type SoldOffering, type SoldTypeOptions, soldType } from './sold-type.ts';
