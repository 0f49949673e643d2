/**
 * The pod subresources `log`, `exec`, `attach` and `portforward`. The simulated kubelets implement
 * `PodContainers`; this folder has the part of kube-apiserver: options, errors and streams. Reads pods from the store
 * and writes nothing to it. Start with `serve-containers.ts`.
 */
export type { ContainerLog, ContainerLogLine, ExecResult, PodContainers } from './pod-containers.ts';
export { isForContainers, isStream, serveContainers } from './serve-containers.ts';
export type { UpgradeSocket } from './streams/upgraded-request.ts';
