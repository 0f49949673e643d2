/**
 * Drains of workloads with one replica: scales the Deployment to two, waits for the second pod, evicts the
 * first and scales back (ADR 0024). Opt-in by annotation; Karpenter has nothing like it. It writes replicas
 * and metadata of Deployments.
 *
 * Start with `surge-pods.ts`, which the eviction controller calls; `surge-drain.ts` cleans up after a crash.
 */

export { surgeDrain } from './surge-drain.ts';
export { SurgePods } from './surge-pods.ts';
