/**
 * A Kubernetes API server in this process: HTTPS, authentication, RBAC, admission, CustomResourceDefinitions
 * (`custom/`), storage with watches, and the controllers that kube-apiserver and kube-controller-manager run
 * for it.
 *
 * Of Karpenter it knows only the names of its kubeconfig context and CA, and older kinds of its API
 * (`older-kinds/`). It runs no nodes, and touches the disk only in its data directory. Start with
 * `api-server.ts`, which builds everything, then `handlers/request-handler.ts`, the path of a request.
 */
export { type ApiServer, startApiServer } from './api-server.ts';
export {
  type FieldSet,
  fieldSetOf,
  serverSideApply,
  settleTimes,
  trackManagedFields,
} from './apply/index.ts';
export type { ContainerLog, ContainerLogLine, ExecResult, PodContainers } from './containers/index.ts';
export { type DataDirectory, openDataDirectory } from './data-directory.ts';
export {
  decodeApplyPatch,
  decodeJson,
  decodePatch,
  decodeProtobuf,
  decodeYaml,
} from './decoding/index.ts';
export { aggregatedDiscovery } from './discovery/aggregated-discovery.ts';
export { apiGroup, apiGroupList, apiResourceList } from './discovery/legacy-discovery.ts';
export type { MetricsSource } from './handlers/metrics.ts';
export { builtInKinds } from './kinds/built-in-kinds.ts';
export type {
  ServedKind,
  TableColumn,
} from './kinds/served-kind.ts';
export { OpenApiDocuments } from './openapi/openapi-documents.ts';
export { applyJsonPatch, applyMergePatch, applyStrategicMergePatch } from './patch/index.ts';
export { StatusError } from './status/status-error.ts';
export { recover } from './store/index.ts';
