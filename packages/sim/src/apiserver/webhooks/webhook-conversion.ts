import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@karpenter/core/schema';
import type { WebhookConverter } from '../custom/custom-kind.ts';
import type { ServedDefinition } from '../custom/definition.ts';
import { messageOf, StatusError } from '../status/status-error.ts';
import { convertedObjects } from './converted-objects.ts';
import type { WebhookClient } from './webhook-client.ts';

// The fixed timeout of kube-apiserver for conversion webhooks.
const timeoutMs = 30_000;

/** Converts objects with the conversion webhook of their definition. */
export function webhookConverter(client: WebhookClient): WebhookConverter {
  return {
    convert: async (definition, objects, apiVersion) => {
      const uid = randomUUID();
      try {
        const reply = await client.call({
          clientConfig: definition.spec.conversion?.webhook?.clientConfig ?? {},
          body: review(uid, objects, apiVersion),
          timeoutMs,
        });
        return convertedObjects(reply, { uid, objects, apiVersion });
      } catch (error) {
        throw refusal(definition, objects, error);
      }
    },
  };
}

function review(uid: string, objects: readonly JsonObject[], desiredAPIVersion: string): JsonObject {
  return {
    kind: 'ConversionReview',
    apiVersion: 'apiextensions.k8s.io/v1',
    request: { uid, desiredAPIVersion, objects: [...objects] },
  };
}

function refusal({ spec }: ServedDefinition, objects: readonly JsonObject[], error: unknown): StatusError {
  const from = String(objects[0]?.['apiVersion'] ?? '');
  const message = `conversion webhook for ${from}, Kind=${spec.names.kind} failed: ${messageOf(error)}`;
  // kube-apiserver gives no reason either.
  return new StatusError(500, undefined, message);
}
