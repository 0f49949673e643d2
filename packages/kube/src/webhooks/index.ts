/**
 * A server for admission and conversion webhooks that issues and renews its own certificates. Listens on a
 * port, and reads and writes one Secret through a `CertificateStore`. Start with webhook-server.ts.
 */

export { type CertificateStore, memoryStore, secretStore } from './certificate-store.ts';
export type { AdmissionHandler, AdmissionRequest, AdmissionVerdict, ConversionHandler } from './review.ts';
export type { ServingCertificates } from './serving-certificate.ts';
export { startWebhookServer, type WebhookServer, type WebhookServerOptions } from './webhook-server.ts';
