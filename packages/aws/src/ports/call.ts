/** Options of one call to AWS. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Disables retries, for dry runs: they always end with an error, and that error is the result. */
  readonly retries?: 'none';
  /** Called before each attempt is sent. If it throws, the call rejects with that error and is not retried. */
  readonly beforeAttempt?: () => void;
}

/**
 * One operation of a service. It rejects with an AwsError. `$metadata`, which the SDK adds to outputs, is left out of
 * the type, because other implementations of the ports do not have it.
 */
export type Call<Input, Output> = (input: Input, options?: CallOptions) => Promise<CallOutput<Output>>;

export type CallOutput<Output> = Output extends { $metadata: unknown } ? Omit<Output, '$metadata'> : Output;
