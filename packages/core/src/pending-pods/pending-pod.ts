import type { PodMetadata, PodSpecView } from '../scheduling/index.ts';
import type { PodStatusLike } from '../values/index.ts';

/** The fields that decide whether a pod is planned for, named as in Kubernetes' JSON. */
export interface PendingPod {
  readonly metadata: PodMetadata;
  readonly spec: PodSpecView & { readonly nodeName?: string };
  readonly status?: PodStatusLike & { readonly nominatedNodeName?: string };
}

/** Why provisioning skips a pod without log line or event: it is not, or not yet, its responsibility. */
export type PassedOverCause = 'not-unschedulable' | 'bound' | 'nominated' | 'daemon' | 'mirror';

/** What is wrong with an ignored pod. */
type IgnoredCause = 'opted-out' | 'requirements' | 'volumes' | 'dynamic-resources';

export interface IgnoredReason {
  readonly cause: IgnoredCause;
  /** Karpenter's message. */
  readonly message: string;
}

export interface IgnoredVerdict {
  readonly verdict: 'ignored';
  readonly reasons: readonly IgnoredReason[];
  /** All reasons joined, for the log line `ignoring pod` and the event. */
  readonly message: string;
  /** Whether to publish an event. A pod that opted out of provisioning needs none. */
  readonly isReported: boolean;
}

export type PodVerdict =
  | { readonly verdict: 'provisionable' }
  | { readonly verdict: 'passed-over'; readonly cause: PassedOverCause }
  | IgnoredVerdict;
