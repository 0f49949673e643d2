import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1.js';
import { type KubeClient, kinds } from '../client/index.ts';
import { type BundleEdit, publishedIn } from './bundle-publishing.ts';
import type { BundlePublisher } from './certificate-keeper.ts';

interface DefinitionsOptions {
  /** Names of the CustomResourceDefinitions. */
  readonly names: readonly string[];
  /** The Service in front of this webhook. */
  readonly service: { readonly namespace: string; readonly name: string };
}

/**
 * Writes the CA bundle into CustomResourceDefinitions that convert through this Service. One that does not convert
 * needs none, and one that converts elsewhere needs that of another webhook.
 */
export function definitionPublisher(
  client: Pick<KubeClient, 'find' | 'replace'>,
  { names, service }: DefinitionsOptions,
): BundlePublisher {
  const kind = kinds.customResourceDefinition;
  const withBundle: BundleEdit<CustomResourceDefinition> = (definition, caBundle) => {
    const { webhook } = definition.spec.conversion ?? {};
    const { clientConfig } = webhook ?? {};
    const called = clientConfig?.service;
    if (webhook === undefined || called?.name !== service.name || called.namespace !== service.namespace)
      return undefined;
    if (clientConfig?.caBundle === caBundle) return undefined;
    const conversion = {
      ...definition.spec.conversion,
      strategy: 'Webhook',
      webhook: { ...webhook, clientConfig: { ...clientConfig, caBundle } },
    };
    return { ...definition, spec: { ...definition.spec, conversion } };
  };
  return publishedIn(names.map((name) => ({ client, kind, name, withBundle })));
}
