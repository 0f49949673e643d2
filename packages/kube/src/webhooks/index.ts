export { type CertificateStore, memoryStore, secretStore } from './certificate-store.ts';
export type { AdmissionHandler, AdmissionRequest, AdmissionVerdict, ConversionHandler } from './review.ts';
export type { ServingCertificates } from './serving-certificate.ts';
export { startWebhookServer, type WebhookServer, type WebhookServerOptions } from './webhook-server.ts';
