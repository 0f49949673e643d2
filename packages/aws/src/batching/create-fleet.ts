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
import type { CallOutput } from '../ports/index.ts';
import { noResult, RequestBatcher, type Share } from './batcher.ts';
import type { Ec2BatchOptions } from './ec2-batchers.ts';
import { retryWhileThrottled } from './throttled-calls.ts';

export type FleetResponse = CallOutput<CreateFleetCommandOutput>;

/** Stands in where EC2 gives no reason. It is not a capacity code, so the launch fails with `LaunchFailed`. */
const tooFew: CreateFleetError = {
  ErrorCode: 'too few instances returned',
  ErrorMessage: 'too few instances returned',
};

/** A request for one instance, and the NodeClaim it is for. */
export interface FleetCall {
  readonly input: CreateFleetCommandInput;
  /** The launch batch of the NodeClaim. A fleet request holds claims of one batch only. */
  readonly batch: BatchEntry;
  /** The uid of the NodeClaim. */
  readonly claim: string;
}

/** Merges equal fleet requests of one launch batch into one, and distributes the instances among the callers. */
export function createFleetBatcher(options: Ec2BatchOptions) {
  const { ec2, clock, log, batches, onBatch } = options;
  const batcher = new RequestBatcher<FleetCall, FleetResponse>({
    clock,
    window: batching.createFleet,
    // Launches from before and after a mismatch are kept apart, because LaunchBatches rejects the former (ADR 0036).
    bucketOf: ({ input, batch }) => `${batch.id} ${batch.mismatches} ${requestKey(input)}`,
    execute: async (calls) => {
      const ordered = byClaim(calls);
      const [first] = ordered;
      if (first === undefined) return [];
      const request = tagged(forMany(first.input, calls.length), first.batch.id);
      // All retries are inside one `request`, so that they carry the same client token: a throttled request or a lost
      // response never launches instances twice (ADR 0022).
      const response = await batches.request(first.batch, (ClientToken) =>
        retryWhileThrottled(() => ec2.createFleet({ ...request, ClientToken }), options),
      );
      const distributed = distribute(response, calls.length, log);
      const shares = new Map(ordered.map((call, index) => [call, distributed[index]]));
      return calls.map((call) => shares.get(call) ?? { error: noResult() });
    },
    ...(onBatch !== undefined && { onBatch }),
  });
  return async (call: FleetCall): Promise<FleetResponse> => {
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

/** A fixed order: a leader that repeats the request assigns the instances to the same NodeClaims. */
function byClaim(calls: readonly FleetCall[]): readonly FleetCall[] {
  return calls.toSorted((a, b) => (a.claim < b.claim ? -1 : 1));
}

/** By this tag the next leader finds the instances of a batch. */
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

function distribute(response: FleetResponse, callers: number, log: Log): readonly Share<FleetResponse>[] {
  const launched = (response.Instances ?? []).flatMap(oneByOne);
  // Garbage collection terminates the surplus, which no NodeClaim names.
  if (launched.length > callers) {
    log.error('received more instances than were requested', {
      requested: callers,
      received: launched.length,
    });
  }
  return Array.from({ length: callers }, (_, index) => {
    const instance = launched[index];
    return { output: instance === undefined ? shortfall(response) : { ...response, Instances: [instance] } };
  });
}

function oneByOne(group: CreateFleetInstance): readonly CreateFleetInstance[] {
  return (group.InstanceIds ?? []).map((id) => ({ ...group, InstanceIds: [id] }));
}

/** All callers get the same list object of errors, by which the launcher recognizes errors it has recorded. */
function shortfall({ FleetId, Errors = [] }: FleetResponse): FleetResponse {
  return Errors.length === 0 ? { Errors: [tooFew] } : { FleetId, Errors };
}
