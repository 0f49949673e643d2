import type { PodMetadata, PodSpecView } from '../scheduling/index.ts';
import type { PodStatusLike } from '../values/index.ts';

/** What decides whether a pod is to be planned for, spelt as in Kubernetes' JSON. */
export interface PendingPod {
  readonly metadata: PodMetadata;
  readonly spec: PodSpecView & { readonly nodeName?: string };
  readonly status?: PodStatusLike & { readonly nominatedNodeName?: string };
}

/** Why planning leaves a pod to others, or to later, without a word. */
export type PassedOverCause = 'not-unschedulable' | 'bound' | 'nominated' | 'daemon' | 'mirror';

/** What is wrong with a pod that is ignored. */
export type IgnoredCause = 'opted-out' | 'requirements' | 'volumes' | 'dynamic-resources';

export interface IgnoredReason {
  readonly cause: IgnoredCause;
  /** In Karpenter's words. */
  readonly message: string;
}

export interface IgnoredVerdict {
  readonly verdict: 'ignored';
  readonly reasons: readonly IgnoredReason[];
  /** All reasons in one sentence, as the log line `ignoring pod` and the event give it. */
  readonly message: string;
  /** Whether an event tells the owner; a pod that asks not to be planned for needs none. */
  readonly isTold: boolean;
}

export type PodVerdict =
  | { readonly verdict: 'provisionable' }
  | { readonly verdict: 'passed-over'; readonly cause: PassedOverCause }
  | IgnoredVerdict;
