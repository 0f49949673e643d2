export {
  type Exchange,
  type Handler,
  type HttpServer,
  type HttpServerOptions,
  startHttpServer,
} from './http-server.ts';
