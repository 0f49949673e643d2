import { type Kind, type KubeClient, type KubeObject, kinds } from '../client/index.ts';
import { type BundleEdit, publishedIn } from './bundle-publishing.ts';
import type { BundlePublisher } from './certificate-keeper.ts';

interface Webhook {
  readonly clientConfig?: { readonly caBundle?: string | undefined };
}

interface WebhookConfiguration extends KubeObject {
  readonly webhooks?: readonly Webhook[];
}

const configurationKinds: readonly Kind<WebhookConfiguration>[] = [
  kinds.validatingWebhookConfiguration as Kind<WebhookConfiguration>,
  kinds.mutatingWebhookConfiguration as Kind<WebhookConfiguration>,
];

/**
 * Writes the CA bundle into all webhooks of the ValidatingWebhookConfiguration and the
 * MutatingWebhookConfiguration of a name. One that does not exist needs no bundle.
 */
export function configurationPublisher(
  client: Pick<KubeClient, 'find' | 'replace'>,
  name: string,
): BundlePublisher {
  return publishedIn(configurationKinds.map((kind) => ({ client, kind, name, withBundle })));
}

const withBundle: BundleEdit<WebhookConfiguration> = (configuration, caBundle) => {
  const { webhooks = [] } = configuration;
  if (webhooks.every(({ clientConfig }) => clientConfig?.caBundle === caBundle)) return undefined;
  return {
    ...configuration,
    webhooks: webhooks.map((webhook) => ({
      ...webhook,
      clientConfig: { ...webhook.clientConfig, caBundle },
    })),
  };
};
