import type { Clock } from '@karpenter/kube/runtime';
import type { User } from './auth/index.ts';
import type { UpgradeSocket } from './containers/index.ts';
import type { Incoming, Outgoing } from './http/reply.ts';
import type { ResourceRequest } from './http/request-info.ts';
import type { ServedKind } from './kinds/served-kind.ts';
import type { KindRegistry } from './registry/kind-registry.ts';
import type { WatchHub } from './watch/watch-hub.ts';
import type { WriteServer } from './writes/write-server.ts';

/** The components of the server that request handlers and controllers share. */
export interface ApiServerParts extends WriteServer {
  readonly registry: KindRegistry;
  readonly hub: WatchHub;
  readonly clock: Clock;
  /** Called with errors that no reply can report, such as one in a controller of the server. */
  readonly onError: (error: unknown) => void;
}

/** One authorized request for a kind, as handlers receive it. */
export interface ResourceCall {
  readonly info: ResourceRequest;
  readonly kind: ServedKind;
  readonly user: User;
  readonly request: Incoming;
  readonly response: Outgoing;
  /** Texts for `Warning` headers, in the order in which they were added. */
  readonly warnings: string[];
  /** Takes over the connection of an upgrade request; no reply can be sent afterwards. */
  readonly upgrade?: (() => UpgradeSocket) | undefined;
}
