import type { Call, CallOptions } from '@karpenter/aws/ports';
import { durationMs } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';
import type { Chance } from '../../objects/chance.ts';
import { type AccessRequest, type IdentityPolicy, isAllowed } from '../access/index.ts';
import type { FaultBoard } from '../faults/fault-board.ts';
import { uuid } from '../world/identifiers.ts';
import { type ApiFamily, defaultLimits, throttlingCode } from './api-families.ts';
import type { Durability } from './durability.ts';
import { Refusal } from './refusal.ts';
import { SimulatedAwsError, type SimulatedCallName } from './simulated-aws-error.ts';
import { ApiTokenBucket, type SavedBucket } from './token-bucket.ts';

/** One operation of a service, with its throttling family and IAM action. */
export interface Operation extends SimulatedCallName {
  readonly family: ApiFamily;
  /** The IAM action: `ec2:CreateFleet`. */
  readonly action: string;
}

export interface CallContext {
  /** The same in every attempt of one call, like the client token that the SDK generates. */
  readonly token: string;
  readonly signal?: AbortSignal;
  /** Must be called if an operation whose name sounds read-only changes the account; see `isReading`. */
  changed(): void;
}

type CallHandler<Input, Output> = (input: Input, context: CallContext) => Output | Promise<Output>;

/** The IAM checks of a call. Defaults to the action of the operation on resource `*`. */
type AccessOf<Input> = (input: Input) => readonly AccessRequest[];

export interface GatewayOptions {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly faults: FaultBoard;
  /** ARN of the caller, for error messages. */
  readonly callerArn: string;
  readonly region: string;
  readonly durability: Durability;
  readonly saved?: SavedBuckets | undefined;
}

/** State of the throttling buckets. */
export type SavedBuckets = readonly (readonly [ApiFamily, SavedBucket])[];

/** Attempts per call, the default of the AWS SDK. */
const attempts = 3;
/** Upper bound of the first backoff, as in the AWS SDK: longer after throttling. */
const firstBackoffMs = { throttled: 500, failed: 100 };

/**
 * The entry point of all calls: applies throttling, permissions and faults. It also retries as the AWS SDK does,
 * because the ports have the behaviour of SDK clients.
 */
export class Gateway {
  readonly #options: GatewayOptions;
  #buckets: Map<ApiFamily, ApiTokenBucket>;
  readonly #counts = new Map<string, number>();
  readonly #denials = new Map<string, number>();
  /** The policies of the caller. Undefined allows everything. */
  #policies: readonly IdentityPolicy[] | undefined;

  constructor(options: GatewayOptions) {
    this.#options = options;
    const saved = options.saved ?? [];
    this.#buckets = new Map(saved.map(([family, bucket]) => [family, new ApiTokenBucket(bucket)]));
  }

  get callerArn(): string {
    return this.#options.callerArn;
  }

  /** A gateway for another caller of the same account: without policies, with the same throttling buckets. */
  forCaller(callerArn: string): Gateway {
    const other = new Gateway({ ...this.#options, callerArn });
    other.#buckets = this.#buckets;
    return other;
  }

  save(): SavedBuckets {
    return [...this.#buckets].map(([family, bucket]) => [family, bucket.save()]);
  }

  /** Number of attempts per action. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Number of denials by policies, per action. */
  get denials(): ReadonlyMap<string, number> {
    return this.#denials;
  }

  enforce(policies: readonly IdentityPolicy[] | undefined): void {
    this.#policies = policies;
  }

  operation<Input, Output>(
    operation: Operation,
    handler: CallHandler<Input, Output>,
    access?: AccessOf<Input>,
  ): Call<Input, Output>;
  operation<Input, Output>(
    operation: Operation,
    handler: CallHandler<Input, Output>,
    access: AccessOf<Input> = () => [{ action: operation.action, resource: '*', context: {} }],
  ) {
    return (input: Input, options: CallOptions = {}): Promise<Output> =>
      this.#call(operation, options, (context) => {
        this.#checkPolicies(operation, () => access(input));
        return handler(input, context);
      });
  }

  async #call<Output>(
    operation: Operation,
    { retries, signal, beforeAttempt }: CallOptions,
    serve: (context: CallContext) => Output | Promise<Output>,
  ): Promise<Output> {
    const { chance, clock, durability } = this.#options;
    const changed = () => durability.changed();
    const context = { token: uuid(chance), changed, ...(signal !== undefined && { signal }) };
    for (let attempt = 1; ; attempt += 1) {
      beforeAttempt?.();
      try {
        return await this.#attempt(operation, context, serve);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (attempt === attempts || retries === 'none' || !isRetryable(error)) {
          throw new SimulatedAwsError(operation, error, uuid(chance));
        }
        const longest = firstBackoffMs[isThrottling(error) ? 'throttled' : 'failed'] * 2 ** (attempt - 1);
        await clock.sleep(durationMs(Math.floor(chance.next() * longest)), signal);
      }
    }
  }

  async #attempt<Output>(
    operation: Operation,
    context: CallContext,
    serve: (context: CallContext) => Output | Promise<Output>,
  ): Promise<Output> {
    const { clock, faults } = this.#options;
    const { action } = operation;
    this.#counts.set(action, (this.#counts.get(action) ?? 0) + 1);
    const delay = faults.delayOf(action);
    if (delay > 0) await clock.sleep(durationMs(delay), context.signal);
    if (context.signal?.aborted === true) throw aborted();
    this.#throttle(operation.family);
    this.#authorize(operation);
    const failure = faults.failureOf(action);
    if (failure !== undefined) throw failure;
    const response = await this.#durably(operation, () => serve(context));
    if (faults.isReplyLost(action)) throw lostReply();
    return response;
  }

  /**
   * Every response waits until the account is saved, including errors and describe calls: a client that acts on a
   * response must find the same state after a crash.
   */
  async #durably<Output>({ operation }: Operation, serve: () => Output | Promise<Output>): Promise<Output> {
    const { durability } = this.#options;
    try {
      return await serve();
    } finally {
      if (!isReading(operation)) durability.changed();
      await durability.settled().catch(refuseUnsaved);
    }
  }

  #throttle(family: ApiFamily): void {
    const { clock, faults } = this.#options;
    const size = faults.limitOf(family, defaultLimits[family]);
    if (size === 'unlimited') return;
    const now = clock.now();
    const bucket = this.#buckets.get(family) ?? new ApiTokenBucket({ tokens: size.burst, filledAt: now });
    this.#buckets.set(family, bucket);
    if (bucket.take(size, now)) return;
    const isEc2 = family.startsWith('ec2:');
    throw new Refusal(throttlingCode(family), isEc2 ? 'Request limit exceeded.' : 'Rate exceeded', {
      statusCode: isEc2 ? 503 : 400,
    });
  }

  #authorize({ action, service }: Operation): void {
    const { faults, callerArn } = this.#options;
    if (faults.isDenied(action)) throw denied(service, { callerArn, action });
  }

  #checkPolicies({ service, action }: Operation, access: () => readonly AccessRequest[]): void {
    const { callerArn, region } = this.#options;
    // STS requires no permission for GetCallerIdentity.
    if (this.#policies === undefined || action === 'sts:GetCallerIdentity') return;
    for (const request of access()) {
      const context = { ...request.context, 'aws:RequestedRegion': [region] };
      if (isAllowed(this.#policies, { ...request, context })) continue;
      this.#denials.set(request.action, (this.#denials.get(request.action) ?? 0) + 1);
      throw denied(service, { callerArn, ...request });
    }
  }
}

interface DeniedAccess {
  readonly callerArn: string;
  readonly action: string;
  readonly resource?: string;
}

function denied(service: string, { callerArn, action, resource }: DeniedAccess): Refusal {
  const on = resource === undefined ? '' : ` on resource: ${resource}`;
  const words = `User: ${callerArn} is not authorized to perform: ${action}${on} because no identity-based policy allows the ${action} action`;
  if (service !== 'EC2') return new Refusal(deniedCode(service), words, { statusCode: 403 });
  return new Refusal(
    'UnauthorizedOperation',
    `You are not authorized to perform this operation. ${words}. Encoded authorization failure message: c2ltdWxhdGVk`,
    { statusCode: 403 },
  );
}

function deniedCode(service: string): string {
  return service === 'IAM' || service === 'SQS' || service === 'STS'
    ? 'AccessDenied'
    : 'AccessDeniedException';
}

function isRetryable(refusal: Refusal): boolean {
  return refusal.fault === 'server' || isThrottling(refusal);
}

function isThrottling({ code }: Refusal): boolean {
  return /Thrott|^RequestLimitExceeded$/.test(code);
}

function isReading(operation: string): boolean {
  return /^(Describe|Get|List|Receive)/.test(operation);
}

/** A server error, so that the caller retries; client tokens keep the retry from launching twice. */
function refuseUnsaved(cause: unknown): never {
  const why = cause instanceof Error ? cause.message : String(cause);
  throw new Refusal('InternalError', `The simulated account could not be saved: ${why}`, {
    statusCode: 500,
    fault: 'server',
  });
}

function lostReply(): Refusal {
  return new Refusal('TimeoutError', 'socket hang up', { statusCode: 0, fault: 'server' });
}

function aborted(): Error {
  const error = new Error('Request aborted');
  error.name = 'AbortError';
  return error;
}
