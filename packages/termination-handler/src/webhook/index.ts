/** The webhook: a notification of each event, rendered from a Go template and posted. Start with webhook.ts. */

export { functionNames } from './template/index.ts';
export { prepareWebhook } from './webhook.ts';
