export { boundAddresses } from './bound-addresses.ts';
export {
  type Exchange,
  type Handler,
  type HttpServer,
  type HttpServerOptions,
  startHttpServer,
} from './http-server.ts';
export { type Relay, startRelay } from './relay.ts';
