/**
 * Runs the action when no HTTP/2 session is processing frames. Whatever closes or destroys a stream or a session goes
 * through here.
 *
 * Node calls event listeners, and after them everything that awaits their result, while nghttp2 is still processing a
 * received frame. Closing or destroying anything of that session at this moment makes Node send at once, nghttp2 frees
 * the stream of the frame and afterwards writes to it: the process aborts, later and anywhere, with `corrupted size vs.
 * prev_size`. Immediates run when nghttp2 has returned. Node fixed it in https://github.com/nodejs/node/pull/64166, after
 * the last release of Node 20.
 */
export function outsideHttp2Callbacks(action: () => void): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve)).then(action);
}
