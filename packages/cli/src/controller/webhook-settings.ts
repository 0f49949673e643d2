import { booleanSetting, integerSetting, type Settings, textSetting } from '@karpenter/core/api';

const maxPort = 65_535;

/** Settings of the admission webhook, which Karpenter does not have any more. */
export const webhookSettings = {
  webhookPort: integerSetting('webhook-port', {
    default: 0,
    description: 'Port that the admission webhook is served on; 0 for no webhook',
    check: (port) => (port >= 0 && port <= maxPort ? undefined : `webhook-port must be from 0 to ${maxPort}`),
  }),
  webhookName: textSetting('webhook-name', {
    default: 'karpenter-webhook',
    description:
      'Name of the Secret with the certificates of the webhook, and of its two webhook configurations',
  }),
  webhookConversion: booleanSetting('webhook-conversion', {
    default: false,
    description:
      'Keeps the CA bundle of the webhook in the definitions of NodePools, NodeClaims and EC2NodeClasses, whose v1beta1 objects it converts',
  }),
} as const;

export type WebhookSettings = Settings<typeof webhookSettings>;
