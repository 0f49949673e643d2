import { createHash } from 'node:crypto';
import type {
  CreateFleetCommandInput,
  CreateFleetCommandOutput,
  CreateFleetError,
  CreateFleetInstance,
  FleetLaunchTemplateOverridesRequest,
  Tag,
} from '@aws-sdk/client-ec2';
import { CodedError } from '@karpenter/core/errors';
import type { Log } from '@karpenter/core/ports';
import type { BatchEntry } from '../launch-batches/index.ts';
import { batching, tagKeys } from '../names/index.ts';
import type { Answer } from '../ports/index.ts';
import { noAnswer, RequestBatcher, type Share } from './batcher.ts';
import type { Ec2BatchOptions } from './ec2-batchers.ts';
import { retryWhileThrottled } from './throttled-calls.ts';

export type FleetAnswer = Answer<CreateFleetCommandOutput>;

const tooFew: CreateFleetError = {
  ErrorCode: 'too few instances returned',
  ErrorMessage: 'too few instances returned',
};

/** A fleet of one instance, and the NodeClaim it is for. */
export interface FleetCall {
  readonly input: CreateFleetCommandInput;
  /** The batch of its NodeClaim, which all claims of a request share. */
  readonly batch: BatchEntry;
  /** The uid of the NodeClaim. */
  readonly claim: string;
}

/** Fleets that ask for the same are asked for as one, and the instances dealt out. */
export function createFleetBatcher(options: Ec2BatchOptions) {
  const { ec2, clock, log, batches, onBatch } = options;
  const batcher = new RequestBatcher<FleetCall, FleetAnswer>({
    clock,
    window: batching.createFleet,
    bucketOf: ({ input, batch }) => `${batch.id} ${batch.mismatches} ${requestKey(input)}`,
    execute: async (calls) => {
      const ordered = byClaim(calls);
      const [first] = ordered;
      if (first === undefined) return [];
      const request = tagged(forMany(first.input, calls.length), first.batch.id);
      const answer = await batches.request(first.batch, (ClientToken) =>
        retryWhileThrottled(() => ec2.createFleet({ ...request, ClientToken }), options),
      );
      const dealt = deal(answer, calls.length, log);
      const shares = new Map(ordered.map((call, index) => [call, dealt[index]]));
      return calls.map((call) => shares.get(call) ?? { error: noAnswer() });
    },
    ...(onBatch !== undefined && { onBatch }),
  });
  return async (call: FleetCall): Promise<FleetAnswer> => {
    if (call.input.TargetCapacitySpecification?.TotalTargetCapacity !== 1) throw notSingle();
    return batcher.add(call);
  };
}

/**
 * Equal for equal requests: they are built in one way, so equal ones have equal texts. Overrides are most of the text
 * and shared by the launches of a burst, so each list is serialized once.
 */
function requestKey({ LaunchTemplateConfigs: configs = [], ...rest }: CreateFleetCommandInput): string {
  const templates = configs.map(({ Overrides: overrides = [], ...config }) => [config, digestOf(overrides)]);
  return JSON.stringify([rest, templates]);
}

const digests = new WeakMap<readonly FleetLaunchTemplateOverridesRequest[], string>();

function digestOf(overrides: readonly FleetLaunchTemplateOverridesRequest[]): string {
  const known = digests.get(overrides);
  if (known !== undefined) return known;
  const digest = createHash('sha256').update(JSON.stringify(overrides)).digest('base64');
  digests.set(overrides, digest);
  return digest;
}

/** Whoever makes this request again deals the instances of the answer to the same NodeClaims. */
function byClaim(calls: readonly FleetCall[]): readonly FleetCall[] {
  return calls.toSorted((a, b) => (a.claim < b.claim ? -1 : 1));
}

/** The next leader recognizes by the tag which claims the instances are for. */
function tagged(input: CreateFleetCommandInput, batch: string): CreateFleetCommandInput {
  const tag = { Key: tagKeys.launchBatch, Value: batch };
  const others = (tags: readonly Tag[] = []) => tags.filter(({ Key }) => Key !== tag.Key);
  const specifications = input.TagSpecifications?.map((one) =>
    one.ResourceType === 'instance' ? { ...one, Tags: [...others(one.Tags), tag] } : one,
  );
  return { ...input, TagSpecifications: specifications };
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
