import {
  counter,
  durationBuckets,
  gauge,
  histogram,
  prometheusDefaultBuckets,
  sizeBuckets,
  statusConditionMetrics,
} from '@karpenter/core/api';

const offering = ['instance_type', 'capacity_type', 'zone'] as const;

/** The metrics of the AWS provider. */
export const awsMetrics = {
  instanceTypeCpuCores: gauge(
    'karpenter_cloudprovider_instance_type_cpu_cores',
    'Virtual CPUs of an instance type.',
    ['instance_type'],
  ),
  instanceTypeMemoryBytes: gauge(
    'karpenter_cloudprovider_instance_type_memory_bytes',
    'Memory of an instance type as EC2 states it.',
    ['instance_type'],
  ),
  offeringAvailable: gauge(
    'karpenter_cloudprovider_instance_type_offering_available',
    'Whether an instance type can be launched, as far as is known: 1 or 0.',
    offering,
  ),
  offeringPriceEstimate: gauge(
    'karpenter_cloudprovider_instance_type_offering_price_estimate',
    'Estimated price of an instance type per hour.',
    offering,
  ),
  launchFailures: counter(
    'karpenter_cloudprovider_instance_launch_failures_total',
    'Errors in the replies to fleet requests, by reason.',
    ['zone', 'zone_id', 'capacity_type', 'reason'],
  ),
  terminationFailures: counter(
    'karpenter_cloudprovider_instance_termination_failures_total',
    'Requests to terminate an instance that failed.',
    ['zone', 'zone_id'],
  ),
  batchTime: histogram(
    'karpenter_cloudprovider_batcher_batch_time_seconds',
    'Seconds that requests were collected before one call was made for all.',
    { buckets: durationBuckets, labels: ['batcher'] },
  ),
  batchSize: histogram('karpenter_cloudprovider_batcher_batch_size', 'Requests that one call was made for.', {
    buckets: sizeBuckets,
    labels: ['batcher'],
  }),
  interruptionMessagesReceived: counter(
    'karpenter_interruption_received_messages_total',
    'Messages taken from the interruption queue, by kind.',
    ['message_type'],
  ),
  interruptionMessagesDeleted: counter(
    'karpenter_interruption_deleted_messages_total',
    'Messages deleted from the interruption queue.',
  ),
  interruptionMessageQueueDuration: histogram(
    'karpenter_interruption_message_queue_duration_seconds',
    'Seconds from the event that a message reports until the message was handled.',
    { buckets: durationBuckets },
  ),
  unhealthyInstances: counter(
    'karpenter_interruption_instance_status_unhealthy_total',
    'Instances of the cluster that EC2 found unhealthy, by the check that failed.',
    ['category'],
  ),
  userDataBytes: gauge(
    'karpenter_ec2nodeclasses_userdata_bytes',
    'Size of the user data that instances of an EC2NodeClass are started with.',
    ['nodeclass'],
  ),
} as const;

const call = ['service', 'action', 'code'] as const;

/** Metrics on AWS calls. They keep the names of the Go SDK, because dashboards for Karpenter query these. */
export const awsSdkMetrics = {
  requests: counter('aws_sdk_go_request_total', 'Calls to AWS, retries not counted.', call),
  attempts: counter('aws_sdk_go_request_attempt_total', 'Requests sent to AWS, retries counted.', call),
  requestDuration: histogram(
    'aws_sdk_go_request_duration_seconds',
    'Seconds that calls to AWS took, retries included.',
    { buckets: prometheusDefaultBuckets, labels: call },
  ),
  attemptDuration: histogram(
    'aws_sdk_go_request_attempt_duration_seconds',
    'Seconds that single requests to AWS took.',
    { buckets: prometheusDefaultBuckets, labels: call },
  ),
  retryCount: histogram('aws_sdk_go_request_retry_count', 'Retries that calls to AWS needed.', {
    buckets: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    labels: call,
  }),
} as const;

export const ec2NodeClassStatusMetrics = statusConditionMetrics('EC2NodeClass');

/** Values of the label `category` of the unhealthy instances metric. */
export const unhealthyCategories = {
  instanceStatus: 'InstanceStatus',
  systemStatus: 'SystemStatus',
  eventStatus: 'EventStatus',
} as const;

/** Kinds of interruption: label values of metrics and disruption reasons. */
export const interruptionKinds = {
  spotInterrupted: 'spot_interrupted',
  rebalanceRecommendation: 'rebalance_recommendation',
  scheduledChange: 'scheduled_change',
  instanceStopped: 'instance_stopped',
  instanceTerminated: 'instance_terminated',
  capacityReservationInterrupted: 'capacity_reservation_interrupted',
  instanceStatus: 'instance_status',
  systemStatus: 'system_status',
  eventStatus: 'event_status',
  noOp: 'no_op',
} as const;
