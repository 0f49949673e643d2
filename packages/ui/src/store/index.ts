/**
 * The state of the page outside React: rows, decisions, cost and connection. Events of the server update it in
 * place. Makes no requests and does not use the DOM. Start with `cluster-store.ts`.
 */

export { noName, spotShare } from './cluster-cost.ts';
export type { ClusterRows } from './cluster-rows.ts';
export { ClusterStore, type ConnectionState, type StoreTopic } from './cluster-store.ts';
export { type CostSample, pastFromDecisions } from './cost-history.ts';
export { type PodPhaseName, podPhases } from './pod-phases.ts';
export { findNode, findPod, podName } from './selection.ts';
export type { StoreChanges } from './store-changes.ts';
