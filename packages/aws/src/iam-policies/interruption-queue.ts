import { type PolicyDocument, policyDocument } from './policy-document.ts';

/** Short, because an interruption message is useless once the instance is gone. */
export const queueRetentionSeconds = 300;

/** Lets EventBridge and SQS send messages to the interruption queue, and denies all access without TLS. */
export function queuePolicy(queueArn: string): PolicyDocument & { readonly Id: string } {
  const { Version, Statement } = policyDocument([
    {
      Effect: 'Allow',
      Principal: { Service: ['events.amazonaws.com', 'sqs.amazonaws.com'] },
      Action: 'sqs:SendMessage',
      Resource: queueArn,
    },
    {
      Sid: 'DenyHTTP',
      Effect: 'Deny',
      Principal: '*',
      Action: 'sqs:*',
      Resource: queueArn,
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    },
  ]);
  return { Version, Id: 'EC2InterruptionPolicy', Statement };
}

/** An EventBridge rule that forwards events to the queue. */
export interface InterruptionRule {
  readonly name: string;
  readonly source: string;
  readonly detailType: string;
}

export const interruptionRules: readonly InterruptionRule[] = [
  { name: 'ScheduledChangeRule', source: 'aws.health', detailType: 'AWS Health Event' },
  {
    name: 'SpotInterruptionRule',
    source: 'aws.ec2',
    detailType: 'EC2 Spot Instance Interruption Warning',
  },
  { name: 'RebalanceRule', source: 'aws.ec2', detailType: 'EC2 Instance Rebalance Recommendation' },
  {
    name: 'InstanceStateChangeRule',
    source: 'aws.ec2',
    detailType: 'EC2 Instance State-change Notification',
  },
  {
    name: 'CapacityReservationInterruptionRule',
    source: 'aws.ec2',
    detailType: 'EC2 Capacity Reservation Instance Interruption Warning',
  },
];
