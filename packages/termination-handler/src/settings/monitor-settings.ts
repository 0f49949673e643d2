import { booleanSetting, integerSetting, textSetting } from '@karpenter/core/api';
import { atLeast, withVariable } from './setting-checks.ts';

/** What the agent watches for. */
export const monitorSettings = {
  metadataUrl: withVariable(
    'INSTANCE_METADATA_URL',
    textSetting('metadata-url', {
      default: 'http://169.254.169.254',
      description: 'Address of the instance metadata service',
      check: (value) =>
        URL.canParse(value) ? undefined : `metadata-url: ${JSON.stringify(value)} is not a URL`,
    }),
  ),
  metadataTries: integerSetting('metadata-tries', {
    default: 3,
    description: 'Attempts of a request to the metadata service when no answer comes',
    check: atLeast('metadata-tries', 1),
  }),
  enableSpotInterruptionDraining: booleanSetting('enable-spot-interruption-draining', {
    default: true,
    description: 'Drains the node when EC2 announces a spot interruption',
  }),
  enableScheduledEventDraining: booleanSetting('enable-scheduled-event-draining', {
    default: true,
    description: 'Drains the node shortly before scheduled maintenance begins',
  }),
  enableAsgLifecycleDraining: booleanSetting('enable-asg-lifecycle-draining', {
    default: false,
    description: 'Drains the node when its Auto Scaling group is about to terminate it',
  }),
  enableRebalanceMonitoring: booleanSetting('enable-rebalance-monitoring', {
    default: false,
    description: 'Cordons the node while EC2 recommends to rebalance it',
  }),
  enableRebalanceDraining: booleanSetting('enable-rebalance-draining', {
    default: false,
    description: 'Drains the node too when EC2 recommends to rebalance it',
  }),
  rebalanceCooldown: integerSetting('rebalance-cooldown', {
    default: 600,
    description:
      'Seconds for which rebalance recommendations are not acted on after the node was created, and after the last one was undone',
    check: atLeast('rebalance-cooldown', 0),
  }),
};
