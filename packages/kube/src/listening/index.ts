/**
 * Binds servers to ports, with one sentence for the user where that fails, and parses the URLs of requests.
 * Opens the port that the caller names, nothing else. Start with `listen.ts`.
 */
export { listenOn } from './listen.ts';
export { requestUrl } from './request-url.ts';
