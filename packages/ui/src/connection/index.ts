/** What goes between the page and its server: the stream of deltas, and single requests. */

export { ClusterStream, staleAfterMs } from './cluster-stream.ts';
export { type ExplainedObject, serverRequests } from './server-requests.ts';
