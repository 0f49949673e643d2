export interface CallOptions {
  readonly signal?: AbortSignal;
  /** No second attempt, as dry runs want it. */
  readonly retries?: 'none';
  /** Called before each attempt leaves this process. What it throws ends the call as it is: no further attempt is made. */
  readonly beforeAttempt?: () => void;
}

/**
 * One operation of a service. It rejects with an AwsError; the SDK adds `$metadata` to what it answers with,
 * which nobody may rely on.
 */
export type Call<Input, Output> = (input: Input, options?: CallOptions) => Promise<Answer<Output>>;

export type Answer<Output> = Output extends { $metadata: unknown } ? Omit<Output, '$metadata'> : Output;
