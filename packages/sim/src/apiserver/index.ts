export { type ApiServer, type ApiServerOptions, startApiServer } from './api-server.ts';
export type { MetricsSource, Usage } from './handlers/metrics.ts';
