/**
 * The subresources of pods that reach into containers: `log`, `exec`, `attach` and `portforward`. Who plays
 * the kubelets implements `PodContainers`; here is what kube-apiserver adds to it: options, refusals,
 * streams. Reads pods from the store and writes nothing to it. Start with `serve-containers.ts`.
 */
export type { ContainerLog, ContainerLogLine, ExecResult, PodContainers } from './pod-containers.ts';
export { isForContainers, isStream, serveContainers } from './serve-containers.ts';
export type { UpgradeSocket } from './streams/upgraded-request.ts';
