import type { NodeRow, PodRow, PoolRow, RowChanges } from '../cluster-view/index.ts';
import type { Decision } from '../decisions/index.ts';

/** Where the page and its server meet. All paths are relative to the address of the page. */
export const pagePaths = {
  /** Server-sent events named by the keys of `StreamEvents`. */
  stream: 'api/stream',
  /** `?kind=pod|node|nodeclaim|nodepool&namespace=&name=`: an `Explanation`. */
  explain: 'api/explain',
  /** `GET ?id=`: a `DecisionDetail`. */
  decision: 'api/decision',
  /** `POST` a `WhatIfQuestion`: a `WhatIfAnswer`. It changes nothing. */
  whatIf: 'api/what-if',
  /** `POST` a `DemoAction`: a `DemoResult`. Only where `PageHello.demo` is present. */
  demo: 'api/demo',
} as const;

/** The event names of the stream and their data. Each stream begins with `hello`, then `rows` with `isReset`. */
export interface StreamEvents {
  readonly hello: PageHello;
  readonly rows: RowsDelta;
  readonly decisions: DecisionsDelta;
  readonly status: StreamStatus;
}

export interface PageHello {
  /** What to call the cluster: its name in `dev`, else the context or the server. */
  readonly cluster: string;
  readonly version: string;
  /** The clock of the server, so that ages are right on a machine whose clock is not. */
  readonly now: number;
  /** Present in `dev` only. */
  readonly demo?: DemoFacts;
}

/** Rows that changed since the last event; with `isReset` all rows, and what the page had before is void. */
export interface RowsDelta {
  readonly isReset: boolean;
  readonly at: number;
  readonly nodes: RowChanges<PageNode>;
  readonly pods: RowChanges<PagePod>;
  readonly pools: RowChanges<PagePool>;
}

export interface PageNode extends Omit<NodeRow, 'pods' | 'podCounts'> {
  /** Why it is kept, if an event or annotation says so. */
  readonly keptReason?: string;
}

export type PagePod = Omit<PodRow, 'fargateSize'>;

export interface PagePool extends Omit<PoolRow, 'pool'> {
  readonly budgets: readonly PageBudget[];
  readonly consolidationPolicy: string;
  readonly consolidateAfter: string;
}

/** A disruption budget of a NodePool. */
export interface PageBudget {
  /** Empty for all reasons. */
  readonly reasons: readonly string[];
  /** As written: `10%` or `3`. */
  readonly nodes: string;
  readonly schedule?: string;
  readonly duration?: string;
  /** Whether it limits now. */
  readonly isActive: boolean;
  /** How many nodes may be disrupted now under it; absent if it does not limit now. */
  readonly allowed?: number;
  /** When its window next opens or closes, in milliseconds since 1970; absent without a schedule. */
  readonly changesAt?: number;
}

export interface DecisionsDelta {
  /** All that the server has, and what the page had before is void. */
  readonly isReset: boolean;
  /** The oldest first. */
  readonly decisions: readonly Decision[];
  /** Why there are none, for people: Karpenter runs here and not this controller, say. */
  readonly unavailable?: string;
}

/** Sent when it changes and every 10 seconds, so that the page notices a silent connection. */
export interface StreamStatus {
  readonly now: number;
  /** Until all nodes and pods were read, the rows are incomplete. */
  readonly isSynced: boolean;
  /** What cannot be read at present, in sentences; then rows may be stale. */
  readonly problems: readonly string[];
}

/** A decision with its plan in full. */
export interface DecisionDetail {
  readonly decision: Decision;
  /** The command that plans again from the same cluster; absent if it is not kept. */
  readonly replayCommand?: string;
}

/** As the flags of `karpenter simulate` on a live cluster. */
export interface WhatIfQuestion {
  /** Manifests as YAML text. */
  readonly add?: string;
  readonly removeNodes?: readonly string[];
  /** As `--set` takes them. */
  readonly set?: readonly string[];
  readonly consolidate?: boolean;
}

export interface WhatIfAnswer {
  /** The table that `karpenter simulate` prints. */
  readonly text: string;
  readonly priceBefore: number;
  readonly priceAfter: number;
}

/** What the demo of `dev` can act on. */
export interface DemoFacts {
  readonly zones: readonly string[];
  /** Sample Deployments in the namespace `default`, with their replicas now. */
  readonly deployments: readonly { readonly name: string; readonly replicas: number }[];
}

export type DemoAction =
  | { readonly action: 'scale'; readonly deployment: string; readonly replicas: number }
  | { readonly action: 'removeSpot'; readonly zone: string }
  | { readonly action: 'restoreSpot'; readonly zone: string }
  | { readonly action: 'interrupt'; readonly node: string }
  | { readonly action: 'failBoots'; readonly isFailing: boolean };

export interface DemoResult {
  /** What happened, in one sentence. */
  readonly message: string;
}

/** The body of every answer that is not 2xx. */
export interface PageError {
  readonly code: string;
  readonly message: string;
}
