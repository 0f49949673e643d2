/** The fields of an Event of Karpenter that viewers read. */
export interface KarpenterEvent {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly creationTimestamp?: string;
  };
  readonly involvedObject: { readonly kind?: string; readonly namespace?: string; readonly name?: string };
  readonly reason?: string;
  readonly message?: string;
  readonly firstTimestamp?: string;
  readonly eventTime?: string;
}
