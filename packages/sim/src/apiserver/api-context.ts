import type { Clock } from '@karpenter/kube/runtime';
import type { User } from './auth/user.ts';
import type { Incoming, Outgoing } from './http/reply.ts';
import type { ResourceRequest } from './http/request-info.ts';
import type { ServedKind } from './kinds/served-kind.ts';
import type { KindRegistry } from './registry/kind-registry.ts';
import type { WatchHub } from './watch/watch-hub.ts';
import type { WriteServer } from './writes/write-server.ts';

/** The parts of the server that handlers work with. */
export interface ApiServerParts extends WriteServer {
  readonly registry: KindRegistry;
  readonly hub: WatchHub;
  readonly clock: Clock;
  /** Called with failures of which no client hears. */
  readonly onError: (error: unknown) => void;
}

/** One request about objects of a kind, on its way through a handler. */
export interface ResourceCall {
  readonly info: ResourceRequest;
  readonly kind: ServedKind;
  readonly user: User;
  readonly request: Incoming;
  readonly response: Outgoing;
  /** Texts for `Warning` headers, in the order they came up. */
  readonly warnings: string[];
}
