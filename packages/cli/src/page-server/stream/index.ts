// The stream of the page: one feed of changes for all clients. Takes changes of a ClusterView and writes HTTP
// responses. Start reading at `page-hub.ts`, then `row-feed.ts`.

export { PageHub } from './page-hub.ts';
