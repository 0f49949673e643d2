/**
 * Runs controllers: the manager with its logs and metrics, and the HTTP endpoints for probes, scrapes,
 * decisions and profiles. It listens on ports, and writes nothing to the API server.
 *
 * Start with `manager.ts`, then `endpoints.ts`. Nothing here knows what a controller does;
 * `@karpenter/kube/runtime` has the queues, backoff and workers.
 */

export { MetricRegistry } from '@karpenter/kube/metrics';
export { type Endpoints, startEndpoints } from './endpoints.ts';
export { errorFields } from './error-fields.ts';
export { JsonLog, type JsonLogOptions, type LogLevel } from './json-log.ts';
export { runAll } from './manager.ts';
export { currentController } from './reconcile-scope.ts';
