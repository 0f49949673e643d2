import { isConflict, type Kind, type KubeClient, type KubeObject, kinds } from '../client/index.ts';
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
 * MutatingWebhookConfiguration of a name. One that does not exist calls nobody and needs no bundle.
 */
export function configurationPublisher(
  client: Pick<KubeClient, 'find' | 'replace'>,
  name: string,
): BundlePublisher {
  return async (caBundle) => {
    const outcomes = await Promise.all(
      configurationKinds.map((kind) => publishIn({ client, kind, name }, caBundle)),
    );
    return outcomes.includes('written') ? 'written' : 'unchanged';
  };
}

interface Target {
  readonly client: Pick<KubeClient, 'find' | 'replace'>;
  readonly kind: Kind<WebhookConfiguration>;
  readonly name: string;
}

/** Reads again after a conflict: replicas publish at the same time, and all publish the same. */
async function publishIn({ client, kind, name }: Target, caBundle: string): Promise<'unchanged' | 'written'> {
  for (;;) {
    const present = await client.find(kind, { name });
    if (present === undefined || hasBundle(present, caBundle)) return 'unchanged';
    try {
      await client.replace(kind, withBundle(present, caBundle));
      return 'written';
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}

function hasBundle({ webhooks = [] }: WebhookConfiguration, caBundle: string): boolean {
  return webhooks.every(({ clientConfig }) => clientConfig?.caBundle === caBundle);
}

function withBundle(configuration: WebhookConfiguration, caBundle: string): WebhookConfiguration {
  const webhooks = (configuration.webhooks ?? []).map((webhook) => ({
    ...webhook,
    clientConfig: { ...webhook.clientConfig, caBundle },
  }));
  return { ...configuration, webhooks };
}
