/** The parts of a message that depend on its type, by a short name. */
export const messageTypes = {
  spot: ['aws.ec2', 'EC2 Spot Instance Interruption Warning', { 'instance-action': 'terminate' }],
  rebalance: ['aws.ec2', 'EC2 Instance Rebalance Recommendation', {}],
  reservation: [
    'aws.ec2',
    'EC2 Capacity Reservation Instance Interruption Warning',
    { 'instance-action': 'terminate' },
  ],
  stopping: ['aws.ec2', 'EC2 Instance State-change Notification', { state: 'stopping' }],
  terminated: ['aws.ec2', 'EC2 Instance State-change Notification', { state: 'terminated' }],
  running: ['aws.ec2', 'EC2 Instance State-change Notification', { state: 'running' }],
  health: ['aws.health', 'AWS Health Event', { service: 'EC2', eventTypeCategory: 'scheduledChange' }],
} as const;

export type MessageType = keyof typeof messageTypes;

export interface MessageFacts {
  readonly instance: string;
  readonly id: string;
  readonly time: number;
}

export function messageBody(type: MessageType, { instance, id, time }: MessageFacts): string {
  const [source, detailType, detail] = messageTypes[type];
  const about =
    type === 'health' ? { affectedEntities: [{ entityValue: instance }] } : { 'instance-id': instance };
  return JSON.stringify({
    version: '0',
    id,
    source,
    'detail-type': detailType,
    account: '123456789012',
    region: 'us-east-1',
    time: new Date(time).toISOString(),
    resources: [],
    detail: { ...detail, ...about },
  });
}
