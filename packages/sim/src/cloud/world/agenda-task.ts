/**
 * Everything that happens in the account without a call, as data, so that it can be saved with the account.
 */
export type AgendaTask =
  /** A pending instance starts to run. */
  | { readonly kind: 'run'; readonly instanceId: string }
  /** The boot time of an instance is over. */
  | { readonly kind: 'boot'; readonly instanceId: string; readonly isFailing: boolean }
  /** The notice period of an interruption is over. */
  | { readonly kind: 'terminate'; readonly instanceId: string; readonly reason: string }
  /** An instance has shut down. */
  | { readonly kind: 'end'; readonly instanceId: string }
  /** EC2 no longer shows a terminated instance. */
  | { readonly kind: 'forget'; readonly instanceId: string }
  /** A spot instance that was recommended for rebalancing is interrupted. */
  | { readonly kind: 'interrupt'; readonly instanceId: string }
  /** The depths of capacity pools change. */
  | { readonly kind: 'spot-tick' }
  /** The instances of a capacity block are terminated. */
  | { readonly kind: 'empty-block'; readonly reservationId: string }
  /** A group launches or terminates instances to reach its desired size. */
  | { readonly kind: 'scale-group'; readonly groupName: string }
  | { readonly kind: 'end-reservation'; readonly reservationId: string };
