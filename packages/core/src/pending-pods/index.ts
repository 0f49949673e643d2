export { usesDynamicResources } from './dynamic-resources.ts';
export type {
  IgnoredCause,
  IgnoredReason,
  IgnoredVerdict,
  PassedOverCause,
  PendingPod,
  PodVerdict,
} from './pending-pod.ts';
export { type JudgeOptions, PodJudge } from './pod-judge.ts';
export { isUnschedulable, passedOverCause } from './provisionable.ts';
export type { UnsupportedStorage } from './volume-flaws.ts';
