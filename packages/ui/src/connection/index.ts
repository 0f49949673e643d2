/**
 * What goes between the page and its server: the stream of deltas, and single requests. The only folder that
 * calls the server. Start with `cluster-stream.ts`, then `server-requests.ts`.
 */

export { ClusterStream, staleAfterMs } from './cluster-stream.ts';
export { type ExplainedObject, serverRequests } from './server-requests.ts';
