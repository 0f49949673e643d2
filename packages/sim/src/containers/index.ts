/**
 * What runs in simulated pods: nothing, but each container has a log of what its kubelet did with it, a pod
 * that stands for a program of this process has the log of that program, and forwarded ports answer HTTP
 * (`pod-page.ts`). In memory; writes nothing to the API server. Start with `simulated-containers.ts`.
 */
export { LiveLog } from './live-log.ts';
export { SimulatedContainers } from './simulated-containers.ts';
