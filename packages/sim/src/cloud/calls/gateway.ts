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

/** One operation: who serves it, under which name and limit. */
export interface Operation extends SimulatedCallName {
  readonly family: ApiFamily;
  /** As policies name it: `ec2:CreateFleet`. */
  readonly action: string;
}

export interface CallContext {
  /** The same in every attempt of one call, as the SDK sends it where a service wants a client token. */
  readonly token: string;
  readonly signal?: AbortSignal;
  /** For calls that read by their name and sometimes change something. */
  changed(): void;
}

type CallHandler<Input, Output> = (input: Input, context: CallContext) => Output | Promise<Output>;

/** What IAM must allow for a call; without it, the action of the operation on no particular resource. */
type AccessOf<Input> = (input: Input) => readonly AccessRequest[];

export interface GatewayOptions {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly faults: FaultBoard;
  /** Who calls, for the words of refusals. */
  readonly callerArn: string;
  readonly region: string;
  readonly durability: Durability;
  readonly saved?: SavedBuckets | undefined;
}

/** How far callers have used up what they may ask. */
export type SavedBuckets = readonly (readonly [ApiFamily, SavedBucket])[];

/** The default of the AWS SDK. */
const attempts = 3;
/** The longest that the first wait may take, as the SDK has it: longer for calls that came too often. */
const firstBackoffMs = { throttled: 500, failed: 100 };

/**
 * Where calls come in: throttling, permissions and faults happen here, and so do the SDK's second attempts,
 * because the ports promise what the SDK does.
 */
export class Gateway {
  readonly #options: GatewayOptions;
  #buckets: Map<ApiFamily, ApiTokenBucket>;
  readonly #counts = new Map<string, number>();
  readonly #denials = new Map<string, number>();
  /** The policies of the caller, which may do everything without them. */
  #policies: readonly IdentityPolicy[] | undefined;

  constructor(options: GatewayOptions) {
    this.#options = options;
    const saved = options.saved ?? [];
    this.#buckets = new Map(saved.map(([family, bucket]) => [family, new ApiTokenBucket(bucket)]));
  }

  get callerArn(): string {
    return this.#options.callerArn;
  }

  /** The gateway of another caller of the same account: without policies, with the same limits for calls. */
  forCaller(callerArn: string): Gateway {
    const other = new Gateway({ ...this.#options, callerArn });
    other.#buckets = this.#buckets;
    return other;
  }

  save(): SavedBuckets {
    return [...this.#buckets].map(([family, bucket]) => [family, bucket.save()]);
  }

  /** How often each action was asked for, attempts counted. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** How often policies denied each action. */
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
        if (attempt === attempts || retries === 'none' || !isWorthAnotherTry(error)) {
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
    const answer = await this.#durably(operation, () => serve(context));
    if (faults.isReplyLost(action)) throw lostReply();
    return answer;
  }

  /**
   * No answer shows what is not saved, refusals and descriptions included: whoever acts on an answer must find the
   * account so after a crash.
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
    // Anybody may ask who they are: STS needs no permission for it.
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

function isWorthAnotherTry(refusal: Refusal): boolean {
  return refusal.fault === 'server' || isThrottling(refusal);
}

function isThrottling({ code }: Refusal): boolean {
  return /Thrott|^RequestLimitExceeded$/.test(code);
}

function isReading(operation: string): boolean {
  return /^(Describe|Get|List|Receive)/.test(operation);
}

/** As AWS answers when it fails itself: the SDK asks again, and what was done is not done twice. */
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
