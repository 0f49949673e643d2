/**
 * The webhook: a notification of each event, rendered from a Go template and posted. Reads the template file
 * at start, and calls the configured URL only. Start with `webhook.ts`.
 */

export { functionNames } from './template/index.ts';
export { prepareWebhook } from './webhook.ts';
