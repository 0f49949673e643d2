import type { Counters, Log } from '@karpenter/core/ports';
import type { KubeClient } from '@karpenter/kube/client';
import type { Clock, EventRecorder } from '@karpenter/kube/runtime';
import type { TerminationEvent } from '../events/index.ts';
import type { InstanceIdentity, MetadataReader } from '../imds/index.ts';
import type { AgentNode } from '../node/index.ts';
import type { AgentSettings } from '../settings/index.ts';

/** An event and the state of its node, as webhooks show them. */
export interface Notification {
  readonly event: TerminationEvent;
  readonly identity: InstanceIdentity;
  readonly node: AgentNode;
  /** Names of the pods to evict. */
  readonly pods: readonly string[];
}

/** What the agent works with. */
export interface AgentParts {
  readonly client: Pick<KubeClient, 'get' | 'find' | 'list' | 'patch' | 'evict'>;
  readonly metadata: MetadataReader;
  readonly identity: InstanceIdentity;
  readonly clock: Clock;
  readonly log: Log;
  readonly meters: Counters;
  /** Absent where no Kubernetes events are wanted. */
  readonly recorder?: EventRecorder;
  /** Absent without a webhook. */
  readonly notify?: (notification: Notification) => Promise<void>;
  /** Milliseconds since the host started. */
  readonly uptime: () => Promise<number>;
  readonly settings: AgentSettings;
}
