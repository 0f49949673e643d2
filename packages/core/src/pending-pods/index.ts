/**
 * Decides which pods provisioning plans for. `PodValidator` gives each pod a verdict: provisionable, passed over
 * (someone else's responsibility, without an event) or ignored (invalid or unsupported, with an event). Pure
 * functions; volumes are checked against the storage objects given. Start with `provisionable.ts` and
 * `pod-validator.ts`.
 */

export { usesDynamicResources } from './dynamic-resources.ts';
export type {
  IgnoredVerdict,
  PendingPod,
  PodVerdict,
} from './pending-pod.ts';
export { PodValidator } from './pod-validator.ts';
export { passedOverCause } from './provisionable.ts';
export type { UnsupportedStorage } from './volume-errors.ts';
