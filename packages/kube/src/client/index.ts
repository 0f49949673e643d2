/**
 * The client of the Kubernetes API: typed verbs, watches, patches and coded errors over HTTP/2 or HTTP/1.1.
 * Talks to the network and nothing else; retries, rate limits and deadlines are in request-sender.ts (ADR
 * 0013, 0021). Start with kube-client.ts (the interface) and connect.ts (how to get one).
 */

export {
  ApiError,
  isAlreadyExists,
  isConflict,
  isDisruptionBudgetRefusal,
  isForbidden,
  isGone,
  isInvalid,
  isNamespaceTerminating,
  isNotFound,
  isRecord,
  isTooManyRequests,
  isUnauthorized,
} from './api-error.ts';
export { kinds } from './built-in-kinds.ts';
export {
  type ClusterConfig,
  type CredentialSource,
  type Credentials,
  tokenCredentials,
} from './cluster-config.ts';
export { type ClientOptions, connect } from './connect.ts';
export { ConnectionError } from './connection-error.ts';
export { kindOf } from './custom-kind.ts';
export { outsideHttp2Callbacks } from './http2-callbacks.ts';
export { capacityBuffers, nodeClaims, nodeOverlays, nodePools } from './karpenter-kinds.ts';
export type { Kind, KubeObject, Metadata, ObjectKey } from './kind.ts';
export type {
  DeleteOptions,
  JsonPatchOperation,
  KubeClient,
  KubeReader,
  KubeWriter,
  ListOptions,
  ObjectList,
  Patch,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './kube-client.ts';
export { keyOf, keyText, parseKey } from './object-key.ts';
export { apiVersionOf, collectionPath } from './object-path.ts';
export type { Exchange } from './request-sender.ts';
