/**
 * A server for admission and conversion webhooks that issues and renews its own certificates. Listens on a
 * port, reads and writes one Secret through a `CertificateStore`, and writes its CA bundle into webhook
 * configurations and CustomResourceDefinitions. Start with webhook-server.ts; certificate-keeper.ts has the rotation.
 */

export { allOf } from './bundle-publishing.ts';
export { secretStore } from './certificate-store.ts';
export { definitionPublisher } from './converting-definitions.ts';
export type { AdmissionHandler, AdmissionRequest, ConversionHandler } from './review.ts';
export { isExempt, type ObjectValidator, validatingHandler } from './validating-handler.ts';
export { configurationPublisher } from './webhook-configurations.ts';
export { startWebhookServer, type WebhookServer, type WebhookServerOptions } from './webhook-server.ts';
