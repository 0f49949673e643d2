/**
 * A server for the page with a sample cluster behind it, for browser tests and the benchmark of the page.
 * Listens on a port and reads the files of the built page. Start with `page-test-server.ts`;
 * `sample-cluster.ts` is what it shows.
 */

export { PageTestServer } from './page-test-server.ts';
export { stuckPod, stuckReason } from './sample-cluster.ts';
