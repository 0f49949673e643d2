export { boundAddresses } from './bound-addresses.ts';
export {
  type ExchangeHandler,
  type ServerExchange,
  startHttpServer,
  type TestHttpServer,
  type TestHttpServerOptions,
} from './http-server.ts';
export { type Relay, startRelay } from './relay.ts';
