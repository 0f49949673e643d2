/**
 * The state of the page outside React: rows, decisions, money, connection. Deltas change it in place. Touches
 * neither the server nor the document. Start with `cluster-store.ts`.
 */

export type { ClusterRows } from './cluster-rows.ts';
export { ClusterStore, type ConnectionState, type StoreTopic } from './cluster-store.ts';
export { noName, spotShare } from './money.ts';
export { type MoneySample, pastFromDecisions } from './money-history.ts';
export { type PodPhaseName, podPhases } from './pod-phases.ts';
export { findNode, findPod, podName } from './selection.ts';
export type { StoreChanges } from './store-changes.ts';
