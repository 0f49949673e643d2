export { type EndpointOptions, type Endpoints, startEndpoints } from './endpoints.ts';
export { errorFields } from './error-fields.ts';
export { JsonLog, type JsonLogOptions, type LogLevel, logLevels } from './json-log.ts';
export { type ManagerOptions, runAll } from './manager.ts';
export { MetricRegistry, measureProcess } from './metrics/index.ts';
export { currentController, currentScope, inScope, type ReconcileScope } from './reconcile-scope.ts';
