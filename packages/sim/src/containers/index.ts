/**
 * Logs, exec and port forwarding of simulated pods, in which nothing runs. The log of a container lists what its
 * kubelet did, the pod of a program in this process has the log of that program, and forwarded ports serve HTTP
 * (`pod-page.ts`). In memory; writes nothing to the API server. Start with `simulated-containers.ts`.
 */
export { LiveLog } from './live-log.ts';
export { SimulatedContainers } from './simulated-containers.ts';
