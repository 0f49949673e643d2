/** All that happens in the account by itself, as data, so that it can be saved with the account. */
export type AgendaTask =
  /** A pending instance runs. */
  | { readonly kind: 'run'; readonly instanceId: string }
  /** A running instance has booted, or has failed to. */
  | { readonly kind: 'boot'; readonly instanceId: string; readonly isFailing: boolean }
  /** The notice of an interruption is over. */
  | { readonly kind: 'terminate'; readonly instanceId: string; readonly reason: string }
  /** An instance has shut down. */
  | { readonly kind: 'end'; readonly instanceId: string }
  /** EC2 no longer shows a terminated instance. */
  | { readonly kind: 'forget'; readonly instanceId: string }
  /** A spot instance that was recommended for rebalancing is interrupted. */
  | { readonly kind: 'interrupt'; readonly instanceId: string }
  /** Depths of pools change. */
  | { readonly kind: 'spot-tick' }
  /** The instances of a capacity block are terminated. */
  | { readonly kind: 'empty-block'; readonly reservationId: string }
  | { readonly kind: 'end-reservation'; readonly reservationId: string };
