/** Binds servers to ports, with one sentence for the user where that fails. Start with `listen.ts`. */
export { listenOn } from './listen.ts';
export { requestUrl } from './request-url.ts';
