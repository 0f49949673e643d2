/**
 * Listens on a port, reports a failure as one sentence for the user, and parses the URLs of requests. Opens no other
 * port. Start with `listen.ts`.
 */
export { listenOn } from './listen.ts';
export { requestUrl } from './request-url.ts';
