/**
 * The optional admission webhook of `karpenter controller` (ADR 0052): wires the rules of core and aws to the
 * webhook server of kube, which listens on a port and writes its Secret and CA bundles. Start with
 * `admission-webhook.ts`; `stored-versions.ts` is where conversions of old API versions come in.
 */

export { admissionHandlers } from './admission-handlers.ts';
export { runAdmissionWebhook } from './admission-webhook.ts';
