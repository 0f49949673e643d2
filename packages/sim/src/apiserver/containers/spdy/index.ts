/**
 * The server's side of SPDY/3.1, as far as port forwarding needs it: streams with headers, over the messages
 * of a WebSocket, which it reads and writes. Start with `spdy-session.ts`.
 */
export { type SpdyStream, serveSpdy } from './spdy-session.ts';
