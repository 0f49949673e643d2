export { type ApiServer, type ApiServerOptions, startApiServer } from './api-server.ts';
export { aggregatedDiscovery, type DiscoveryVersion } from './discovery/aggregated-discovery.ts';
export { apiGroup, apiGroupList, apiResourceList, apiVersions } from './discovery/legacy-discovery.ts';
export type { MetricsSource, Usage } from './handlers/metrics.ts';
export { builtInKinds } from './kinds/built-in-kinds.ts';
export type * from './kinds/served-kind.ts';
export { OpenApiDocuments } from './openapi/openapi-documents.ts';
export { StatusError } from './status/status-error.ts';
export { customTable, type PrintedColumn } from './tables/custom-table.ts';
