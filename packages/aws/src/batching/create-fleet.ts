import { createHash } from 'node:crypto';
import type {
  CreateFleetCommandInput,
  CreateFleetCommandOutput,
  CreateFleetError,
  CreateFleetInstance,
} from '@aws-sdk/client-ec2';
import { CodedError } from '@karpenter/core/errors';
import type { Log } from '@karpenter/core/ports';
import { canonicalText } from '../launch-templates/index.ts';
import { batching } from '../names/index.ts';
import type { Answer } from '../ports/index.ts';
import { noAnswer, RequestBatcher, type Share } from './batcher.ts';
import type { Ec2BatchOptions } from './ec2-batchers.ts';
import { retryWhileThrottled } from './throttled-calls.ts';

export type FleetAnswer = Answer<CreateFleetCommandOutput>;

/** EC2 takes 64 characters; half of them make two that are equal by chance impossible. */
const tokenLength = 32;

const tooFew: CreateFleetError = {
  ErrorCode: 'too few instances returned',
  ErrorMessage: 'too few instances returned',
};

/** A fleet of one instance, and for whom. */
export interface FleetCall {
  readonly input: CreateFleetCommandInput;
  /** Of the NodeClaim and its attempt: the same wherever and whenever that attempt is made. */
  readonly launchKey: string;
}

/** Fleets that ask for the same are asked for as one, and the instances dealt out. */
export function createFleetBatcher(options: Ec2BatchOptions) {
  const { ec2, clock, log, onBatch } = options;
  const batcher = new RequestBatcher<FleetCall, FleetAnswer>({
    clock,
    window: batching.createFleet,
    bucketOf: ({ input }) => canonicalText(input),
    execute: async (calls) => {
      const ordered = byLaunchKey(calls);
      const [first] = ordered;
      if (first === undefined) return [];
      const request = { ...forMany(first.input, calls.length), ClientToken: clientToken(ordered) };
      const shares = deal(
        await retryWhileThrottled(() => ec2.createFleet(request), options),
        calls.length,
        log,
      );
      return calls.map((call) => shares[ordered.indexOf(call)] ?? { error: noAnswer() });
    },
    ...(onBatch !== undefined && { onBatch }),
  });
  return async (call: FleetCall): Promise<FleetAnswer> => {
    if (call.input.TargetCapacitySpecification?.TotalTargetCapacity !== 1) throw notSingle();
    return batcher.add(call);
  };
}

/** Whoever makes this request again deals the instances of the answer to the same NodeClaims. */
function byLaunchKey(calls: readonly FleetCall[]): readonly FleetCall[] {
  return calls.toSorted((a, b) => (a.launchKey < b.launchKey ? -1 : 1));
}

/**
 * EC2 starts the instances of a token once, whoever asks and however often: this process after an answer was lost, or the
 * next leader, which knows the claims but not what was asked for them.
 */
function clientToken(calls: readonly FleetCall[]): string {
  const keys = calls.map(({ launchKey }) => launchKey).join('\n');
  return createHash('sha256').update(keys).digest('hex').slice(0, tokenLength);
}

export function notSingle(): CodedError {
  return new CodedError('aws-call-failed', 'expected to receive a single instance only');
}

function forMany(input: CreateFleetCommandInput, count: number): CreateFleetCommandInput {
  return {
    ...input,
    TargetCapacitySpecification: { ...input.TargetCapacitySpecification, TotalTargetCapacity: count },
  };
}

function deal(answer: FleetAnswer, callers: number, log: Log): readonly Share<FleetAnswer>[] {
  const launched = (answer.Instances ?? []).flatMap(eachAlone);
  if (launched.length > callers) {
    log.error('received more instances than were requested', {
      requested: callers,
      received: launched.length,
    });
  }
  return Array.from({ length: callers }, (_, index) => {
    const instance = launched[index];
    return { output: instance === undefined ? shortfall(answer) : { ...answer, Instances: [instance] } };
  });
}

function eachAlone(group: CreateFleetInstance): readonly CreateFleetInstance[] {
  return (group.InstanceIds ?? []).map((id) => ({ ...group, InstanceIds: [id] }));
}

/** The errors that say why an instance is missing are shared by all callers. */
function shortfall({ FleetId, Errors = [] }: FleetAnswer): FleetAnswer {
  return Errors.length === 0 ? { Errors: [tooFew] } : { FleetId, Errors };
}
