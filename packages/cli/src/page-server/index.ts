// The server behind the web page (ADR 0044): its files, a stream of the cluster, and answers to what the page asks. It
// reads the cluster and writes nothing but the demo of `dev`. Start reading at `page.ts`, then `page-server.ts` for
// what is refused, and `stream/page-hub.ts`.

export { runControllerPage } from './controller-page.ts';
export { type DecisionSource, eventDecisions, loggedDecisions, polledDecisions } from './decisions/index.ts';
export { type ServedPageOptions, startPage } from './page.ts';
export { pageDirectory } from './page-files/index.ts';
export type { DemoControls } from './page-ports.ts';
export type { PageServer } from './page-server.ts';
