/** A server for the page with a sample cluster behind it, for browser tests and the benchmark of the page. */

export { PageTestServer } from './page-test-server.ts';
export { stuckPod, stuckReason } from './sample-cluster.ts';
