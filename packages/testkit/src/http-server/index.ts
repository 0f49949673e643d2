/**
 * Real HTTP/1.1 and HTTP/2 servers on loopback whose replies a test controls, and a relay that can go silent.
 * They open ports of this host and nothing else. Start with `http-server.ts`.
 */
export { boundAddresses } from './bound-addresses.ts';
export {
  type ExchangeHandler,
  type ServerExchange,
  startHttpServer,
  type TestHttpServer,
  type TestHttpServerOptions,
} from './http-server.ts';
export { startRelay } from './relay.ts';
