import { booleanSetting, integerSetting, textSetting } from '@karpenter/core/api';

const queue = 'For a queue, which this agent does not read; accepted and ignored';
const flag = (name: string) => booleanSetting(name, { default: false, description: queue });
const text = (name: string) => textSetting(name, { default: '', description: queue });
const seconds = (name: string) => integerSetting(name, { default: -1, description: queue });

/** Settings of upstream's queue mode. A manifest that has them still works. */
export const ignoredSettings = {
  enableSqsTerminationDraining: flag('enable-sqs-termination-draining'),
  queueUrl: text('queue-url'),
  checkTagBeforeDraining: flag('check-tag-before-draining'),
  checkAsgTagBeforeDraining: flag('check-asg-tag-before-draining'),
  managedTag: text('managed-tag'),
  managedAsgTag: text('managed-asg-tag'),
  useProviderId: flag('use-provider-id'),
  completeLifecycleActionDelaySeconds: seconds('complete-lifecycle-action-delay-seconds'),
  deleteSqsMsgIfNodeNotFound: flag('delete-sqs-msg-if-node-not-found'),
  sqsMsgVisibilityTimeoutSec: seconds('sqs-msg-visibility-timeout-sec'),
  awsEndpoint: text('aws-endpoint'),
};

const heartbeat = (name: string) =>
  integerSetting(name, {
    default: -1,
    description: 'Heartbeats of ASG lifecycle hooks need a queue; setting it is an error',
    check: (value) =>
      value === -1
        ? undefined
        : `${name}: heartbeats need the queue mode, which this agent does not have; remove it`,
  });

/** Settings of the queue mode whose silent loss would end instances early. */
export const refusedSettings = {
  heartbeatInterval: heartbeat('heartbeat-interval'),
  heartbeatUntil: heartbeat('heartbeat-until'),
};
