/**
 * A server for admission and conversion webhooks that issues and renews its own certificates. Listens on a
 * port, and reads and writes one Secret through a `CertificateStore`. Start with webhook-server.ts.
 */

export { secretStore } from './certificate-store.ts';
export type { AdmissionHandler, AdmissionRequest } from './review.ts';
export { startWebhookServer, type WebhookServer, type WebhookServerOptions } from './webhook-server.ts';
